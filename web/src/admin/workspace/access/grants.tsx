import { adminStrings } from '../strings.ts';
import type { RecordOperation } from './generated.ts';

/** A user's permission for one operation, and the groups and rules that determine it. */
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

/** Column headers for `GrantCells`. */
export const GrantHeaders = () =>
  OPERATIONS.map((operation) => (
    <th key={operation} scope="col">
      {adminStrings.operations[operation]}
    </th>
  ));

export const GrantCells = ({ grants }: { grants: readonly Grant[] }) =>
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

/** Names the granting groups and the limiting rules, or the reason for denial. */
function getGrantReason({ allowed, groups, isForEverybody, rules, why }: Grant): string {
  if (!allowed) return why ?? '';
  const through = isForEverybody ? [adminStrings.everyone, ...groups] : groups;
  return [through.join(', '), rules.length > 0 && adminStrings.restrictedByRules(rules.join(', '))]
    .filter(Boolean)
    .join(' · ');
}
