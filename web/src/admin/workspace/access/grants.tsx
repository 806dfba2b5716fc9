import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { adminStrings } from '../strings.ts';
import type { RecordOperation } from './generated.ts';
import type { PagedList } from './use-paged-list.ts';

interface Grant {
  operation: RecordOperation;
  allowed: boolean;
  isLimited: boolean;
  groups: string[];
  isForEverybody: boolean;
  rules: string[];
  why: string | null;
}

const OPERATIONS: RecordOperation[] = ['READ', 'CREATE', 'UPDATE', 'DELETE'];

interface GrantRow {
  key: string;
  head: ReactNode;
  grants: readonly Grant[];
}

interface GrantTableProps {
  head: string;
  rows: readonly GrantRow[];
  list: Pick<PagedList<unknown>, 'hasMore' | 'isBusy' | 'more'>;
}

export const GrantTable = ({ head, rows, list }: GrantTableProps) => (
  <>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll sideways */}
    <section className="scroll-x" tabIndex={0} aria-label={adminStrings.accessTable}>
      <table className="figures-table grants-table">
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {OPERATIONS.map((operation) => (
              <th key={operation} scope="col">
                {adminStrings.operations[operation]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">{row.head}</th>
              <GrantCells grants={row.grants} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
    {list.hasMore && (
      <div className="buttons">
        <Button isBusy={list.isBusy} onClick={list.more}>
          {adminStrings.loadMore}
        </Button>
      </div>
    )}
  </>
);

const GrantCells = ({ grants }: { grants: readonly Grant[] }) =>
  OPERATIONS.map((operation) => {
    const grant = grants.find((grant) => grant.operation === operation);
    return <td key={operation}>{grant && <GrantLabel grant={grant} />}</td>;
  });

const GrantLabel = ({ grant }: { grant: Grant }) => (
  <>
    <span>{adminStrings.allowed[grant.allowed ? (grant.isLimited ? 'limited' : 'yes') : 'no']}</span>
    <span className="quiet small">{getGrantReason(grant)}</span>
  </>
);

/** Lists the granting groups and the limiting rules, or gives the reason for denial. */
function getGrantReason({ allowed, groups, isForEverybody, rules, why }: Grant): string {
  if (!allowed) return why ?? '';
  const through = isForEverybody ? [adminStrings.everyone, ...groups] : groups;
  return [through.join(', '), rules.length > 0 && adminStrings.restrictedByRules(rules.join(', '))]
    .filter(Boolean)
    .join(' · ');
}
