import { type ReactNode, useState } from 'react';
import { shellStrings } from '../i18n/shell-strings.ts';
import { Field } from './form/field.tsx';

interface MoreFiltersProps {
  /** True if one of the filters is set. */
  isFiltered: boolean;
  /** True if the filters are collapsed at first on all screens. Phones lack the space for the list and all filters. */
  isNarrow?: boolean;
  children: ReactNode;
}

/** Filters that can be collapsed. */
export function MoreFilters({ isFiltered, isNarrow = false, children }: MoreFiltersProps) {
  const [isOpen, setIsOpen] = useState(
    () => isFiltered || (!isNarrow && matchMedia('(min-width: 901px)').matches),
  );
  return (
    <details className="more-filters" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{shellStrings.moreFilters}</summary>
      <div>{children}</div>
    </details>
  );
}

interface Period {
  from?: string | undefined;
  to?: string | undefined;
}

/** Filters by the first and the last day. */
export const PeriodFilter = ({ view, onChange }: { view: Period; onChange(changes: Period): void }) => (
  <>
    <Field
      type="date"
      label={shellStrings.fromDate}
      value={view.from ?? ''}
      onChange={({ target }) => onChange({ from: target.value || undefined })}
    />
    <Field
      type="date"
      label={shellStrings.toDate}
      value={view.to ?? ''}
      onChange={({ target }) => onChange({ to: target.value || undefined })}
    />
  </>
);
