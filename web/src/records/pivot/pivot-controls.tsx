import { useState } from 'react';
import { DialogOpener } from '../../shell/action-buttons.tsx';
import { FormDialog } from '../../shell/dialogs/form-dialog.tsx';
import { Checkbox, Select } from '../../ui/form/field.tsx';
import type { RecordListProps } from '../address.ts';
import { getFieldKey, type ModelDescription } from '../model.ts';
import { viewStrings } from '../view-strings.ts';
import { CHARTS, MAX_MEASURES, MAX_ROW_LEVELS } from '../views.ts';
import { type Dimension, getDimensionFields, PERIODS, parseDimension } from './dimension.ts';
import { getMeasures } from './measures.ts';
import { getMeasureLabel } from './pivot-grid.tsx';
import type { PivotShape } from './table.ts';

interface PivotControlsProps extends RecordListProps {
  shape: PivotShape;
}

export function PivotControls({ model, shape, view, show }: PivotControlsProps) {
  const { rows, across } = shape;
  const setRow = (index: number, key: string | undefined) => {
    const keys = rows.map((row) => row.key);
    show({ rows: keys.toSpliced(index, 1, ...(key ? [key] : [])), sort: undefined });
  };
  return (
    <div className="record-view-head pivot-controls">
      {[...rows, ...(rows.length < MAX_ROW_LEVELS ? [null] : [])].map((row, index) => (
        <DimensionSelect
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by position
          key={index}
          model={model}
          label={index === 0 ? viewStrings.rows : viewStrings.thenBy}
          value={row}
          isNeeded={index === 0}
          onChoose={(key) => setRow(index, key)}
        />
      ))}
      <DimensionSelect
        model={model}
        label={viewStrings.columns}
        value={across}
        isNeeded={false}
        onChoose={(key) => show({ across: key, sort: undefined })}
      />
      <Select
        label={viewStrings.chart}
        value={view.chart ?? 'bars'}
        options={CHARTS.map((chart) => [chart, viewStrings.charts[chart]] as const)}
        onChange={({ target }) => show({ chart: CHARTS.find((chart) => chart === target.value) })}
      />
      <DialogOpener icon="numbers" label={viewStrings.measures}>
        {(onClose) => (
          <MeasureDialog
            model={model}
            selected={shape.figures.map(({ key }) => key)}
            onChoose={(figures) => show({ figures, sort: undefined })}
            onClose={onClose}
          />
        )}
      </DialogOpener>
    </div>
  );
}

interface DimensionSelectProps {
  model: ModelDescription;
  label: string;
  value: Dimension | null;
  isNeeded: boolean;
  onChoose(key: string | undefined): void;
}

function DimensionSelect({ model, label, value, isNeeded, onChoose }: DimensionSelectProps) {
  const key = value && getFieldKey(value.field)!;
  const fields = getDimensionFields(model).map((field) => [getFieldKey(field)!, field.label] as const);
  return (
    <>
      <Select
        label={label}
        value={key ?? ''}
        options={isNeeded ? fields : [['', viewStrings.noField], ...fields]}
        onChange={({ target }) => onChoose(parseDimension(model, target.value)?.key)}
      />
      {value?.by && (
        <Select
          label={viewStrings.period(value.field.label)}
          value={value.by}
          options={PERIODS.map((period) => [period, viewStrings.periods[period]] as const)}
          onChange={({ target }) => onChoose(`${key}.${target.value}`)}
        />
      )}
    </>
  );
}

interface MeasureDialogProps {
  model: ModelDescription;
  selected: string[];
  onChoose(figures: string[] | undefined): void;
  onClose(): void;
}

function MeasureDialog({ model, selected, onChoose, onClose }: MeasureDialogProps) {
  const [keys, setKeys] = useState(selected);
  return (
    <FormDialog
      title={viewStrings.measures}
      submit={viewStrings.show}
      onSubmit={() => onChoose(keys.length > 0 ? keys : undefined)}
      onClose={onClose}
    >
      <p>{viewStrings.measuresText}</p>
      <div className="pivot-figures">
        {getMeasures(model).map((figure) => (
          <Checkbox
            key={figure.key}
            label={getMeasureLabel(figure)}
            checked={keys.includes(figure.key)}
            disabled={keys.length >= MAX_MEASURES && !keys.includes(figure.key)}
            onChange={({ target }) =>
              setKeys(target.checked ? [...keys, figure.key] : keys.filter((key) => key !== figure.key))
            }
          />
        ))}
      </div>
    </FormDialog>
  );
}
