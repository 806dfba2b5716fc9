import type { ReactNode } from 'react';

interface DataTableProps {
  label?: string;
  className?: string;
  heads: readonly ReactNode[];
  /** The first cell of a row is its heading. */
  rows: readonly (readonly [key: string, ...cells: ReactNode[]])[];
}

/** A table that scrolls sideways, also by keyboard if it has a label. */
export const DataTable = ({ label, className = '', heads, rows }: DataTableProps) => (
  <section className="scroll-x" tabIndex={label ? 0 : undefined} aria-label={label}>
    <table className={`figures-table ${className}`}>
      <thead>
        <tr>
          {heads.map((head, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their positions
            <th key={index} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([key, head, ...cells]) => (
          <tr key={key}>
            <th scope="row">{head}</th>
            {cells.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their positions
              <td key={index}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
