import './row-errors.css';
import { formatNumber } from '../i18n/format.ts';
import { shellStrings } from '../i18n/shell-strings.ts';

export interface RowError {
  line: number;
  message: string;
}

export const RowErrors = ({ label, errors }: { label: string; errors: readonly RowError[] }) =>
  errors.length > 0 && (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll long tables
    <section className="row-errors" tabIndex={0} aria-label={label}>
      <table className="figures-table">
        <thead>
          <tr>
            <th scope="col">{shellStrings.line}</th>
            <th scope="col">{shellStrings.reason}</th>
          </tr>
        </thead>
        <tbody>
          {errors.map(({ line, message }) => (
            <tr key={`${line} ${message}`}>
              <td>{formatNumber(line)}</td>
              <td>{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
