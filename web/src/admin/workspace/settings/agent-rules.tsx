import { runMutation, runQuery } from '../../../graphql/client.ts';
import { GuardedForm } from '../guarded-form.tsx';
import { adminStrings } from '../strings.ts';
import {
  type AgentHold,
  type AgentRulesFragment,
  AgentRulesNowDocument,
  AgentRulesSaveDocument,
  type AgentRulesSaveMutationVariables,
} from './generated.ts';

const CONFIRMATIONS = ['AGENT', 'TOKEN', 'PERSON'] as const;
const HOLDS: AgentHold[] = ['SENDS', 'DELETES', 'MODULES', 'CONFIRMED'];
const APPROVERS = ['ADMINISTRATORS', 'OWNER'] as const;
const BUDGETS = ['callsPerMinute', 'callsPerDay', 'sendsPerDay', 'changesPerDay'] as const;

export const AgentRules = ({ rules, reload }: { rules: AgentRulesFragment; reload(): void }) => (
  <section className="card" aria-label={adminStrings.agentRules}>
    <h2>{adminStrings.agentRules}</h2>
    <p className="quiet">{adminStrings.agentRulesText}</p>
    <GuardedForm
      label={adminStrings.agentRules}
      fields={[
        {
          name: 'confirmation',
          label: adminStrings.confirmation,
          hint: adminStrings.confirmationHint,
          kind: 'choice',
          options: CONFIRMATIONS.map(
            (confirmation) => [confirmation, adminStrings.confirmations[confirmation]] as const,
          ),
        },
        ...HOLDS.map((hold) => ({
          name: hold,
          label: adminStrings.holds[hold],
          hint: adminStrings.holdHints[hold],
          kind: 'checkbox' as const,
        })),
        {
          name: 'approvers',
          label: adminStrings.approvers,
          hint: adminStrings.approversHint,
          kind: 'choice',
          options: APPROVERS.map((approver) => [approver, adminStrings.approverNames[approver]] as const),
        },
        ...BUDGETS.map((budget) => ({
          name: budget,
          label: adminStrings.budgets[budget],
          hint: adminStrings.budgetHints[budget],
          kind: 'number' as const,
        })),
      ]}
      facts={toFormFacts(rules)}
      loadCurrent={async () => toFormFacts((await runQuery(AgentRulesNowDocument, {})).agentPolicy)}
      save={(changes, now) =>
        runMutation(AgentRulesSaveDocument, {
          ...toSaveVariables(changes, now),
          expectedVersion: now.version,
        })
      }
      onSaved={reload}
    />
  </section>
);

/**
 * Converts the rules to form values. Each hold is a separate checkbox. The server records the time and author of
 * changes only in the audit trail.
 */
function toFormFacts({ confirmation, holds, approvers, version, ...budgets }: AgentRulesFragment) {
  return {
    version,
    updatedAt: null,
    updatedBy: null,
    confirmation,
    approvers,
    ...(Object.fromEntries(HOLDS.map((hold) => [hold, holds.includes(hold)])) as Record<AgentHold, boolean>),
    ...(Object.fromEntries(
      BUDGETS.map((name) => [name, budgets[name] === null ? null : String(budgets[name])]),
    ) as Record<(typeof BUDGETS)[number], string | null>),
  };
}

type FormFacts = ReturnType<typeof toFormFacts>;

/** The server expects the complete list of holds, so the changes are merged with its current holds. */
function toSaveVariables(changes: Partial<FormFacts>, now: FormFacts): AgentRulesSaveMutationVariables {
  const all = { ...now, ...changes };
  const budgets = BUDGETS.filter((name) => name in changes).map((name) => [
    name,
    changes[name] === null ? null : Number(changes[name]),
  ]);
  return {
    ...('confirmation' in changes && { confirmation: changes.confirmation }),
    ...('approvers' in changes && { approvers: changes.approvers }),
    ...(HOLDS.some((hold) => hold in changes) && { holds: HOLDS.filter((hold) => all[hold] === true) }),
    ...Object.fromEntries(budgets),
  };
}
