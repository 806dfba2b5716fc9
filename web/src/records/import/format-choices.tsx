import { Select } from '../../ui/form/field.tsx';
import { bulkStrings } from '../bulk-strings.ts';
import { type FileFormat, isUndecided, type PossibleFormats } from './format.ts';

interface FormatChoicesProps {
  format: FileFormat;
  possible: PossibleFormats;
  isDisabled: boolean;
  onChange(format: FileFormat): void;
}

/** Asks for the format of numbers and dates that can be read in several ways. */
export function FormatChoices({ format, possible, isDisabled, onChange }: FormatChoicesProps) {
  const { decimalSeparators, dateOrders } = possible;
  const { numbers, dates } = bulkStrings.formats;
  return (
    <>
      {isUndecided(format, possible) && <p role="alert">{bulkStrings.chooseFormat}</p>}
      {decimalSeparators && decimalSeparators.length > 1 && (
        <Select
          label={bulkStrings.numberFormat}
          value={format.decimalSeparator ?? ''}
          disabled={isDisabled}
          options={[
            ['', bulkStrings.selectFormat],
            ...decimalSeparators.map((separator) => [separator, numbers[separator]] as const),
          ]}
          onChange={({ target: { value } }) =>
            onChange({
              ...format,
              decimalSeparator: decimalSeparators.find((item) => item === value) ?? null,
            })
          }
        />
      )}
      {dateOrders && dateOrders.length > 1 && (
        <Select
          label={bulkStrings.dateFormat}
          value={format.dateOrder ?? ''}
          disabled={isDisabled}
          options={[
            ['', bulkStrings.selectFormat],
            ...dateOrders.map((order) => [order, dates[order]] as const),
          ]}
          onChange={({ target: { value } }) =>
            onChange({ ...format, dateOrder: dateOrders.find((item) => item === value) ?? null })
          }
        />
      )}
    </>
  );
}
