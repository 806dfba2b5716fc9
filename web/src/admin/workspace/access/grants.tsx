import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
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
    <DataTable
      label={adminStrings.accessTable}
      className="grants-table"
      heads={[head, ...OPERATIONS.map((operation) => adminStrings.operations[operation])]}
      rows={rows.map(({ key, head, grants }) => [
        key,
        head,
        ...OPERATIONS.map((operation) => {
          const grant = grants.find((grant) => grant.operation === operation);
          return grant && <GrantLabel key={operation} grant={grant} />;
        }),
      ])}
    />
    {list.hasMore && (
      <div className="buttons">
        <Button isBusy={list.isBusy} onClick={list.more}>
          {adminStrings.loadMore}
        </Button>
      </div>
    )}
  </>
);

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
