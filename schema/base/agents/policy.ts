import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Policy } from '../../../src/engine/model/policy.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineEnumShape, defineTypedShape, type ValueOf } from '../../../src/engine/operation/shape.ts';
import { assertVersion, describeExpectedVersion } from '../../../src/engine/write/versions.ts';
import { limits } from '../../../src/limits.ts';
import { AGENT_BOUNDS, checkBudget } from '../agent-bounds.ts';
import { rejectAgents } from '../reject-agents.ts';

const Confirmation = defineEnumShape(
  'AgentConfirmation',
  'Confirmation mode for actions that require confirmation.',
  {
    agent: 'The agent passes `confirm: true`.',
    token: 'The agent passes the token of the preview, which confirms exactly the previewed action, once.',
    person: 'The client program asks a person. If it cannot, the action is held for approval.',
  },
);

const AgentHold = defineEnumShape('AgentHold', 'Agent actions that are held for approval.', {
  sends: 'Sending messages, and automatic replies.',
  deletes: 'Deleting records and labels.',
  modules: 'Installing, upgrading, configuring or uninstalling modules.',
  confirmed: 'Every action that requires confirmation.',
});

const Approvers = defineEnumShape('AgentApprovers', 'Users who decide on held actions.', {
  administrators: 'Users with the Administrator role.',
  owner: 'The user whose rights the agent has, and administrators.',
});

const { toolGroups: _, ...dailyBudgetDescriptions } = AGENT_BOUNDS;

const BUDGET_DESCRIPTIONS = {
  ...dailyBudgetDescriptions,
  callsPerMinute:
    'Maximum number of calls that an agent may make per minute; ' +
    `${limits.agent.callsPerMinute} by default.`,
};

const AgentPolicy = defineTypedShape('AgentPolicy', "A workspace's rules for its agents.", {
  confirmation: { type: Confirmation, description: 'Confirmation mode for actions.' },
  holds: { type: [AgentHold], description: 'Actions that a person must approve.' },
  approvers: { type: Approvers, description: 'Users who can approve or reject held actions.' },
  callsPerDay: { type: 'Int', nullable: true, description: BUDGET_DESCRIPTIONS.callsPerDay },
  sendsPerDay: { type: 'Int', nullable: true, description: BUDGET_DESCRIPTIONS.sendsPerDay },
  changesPerDay: { type: 'Int', nullable: true, description: BUDGET_DESCRIPTIONS.changesPerDay },
  callsPerMinute: { type: 'Int', nullable: true, description: BUDGET_DESCRIPTIONS.callsPerMinute },
  version: {
    type: 'Int',
    description:
      'Increases with each update. 0 if the rules were never changed. Pass it as `expectedVersion`.',
  },
});

type AgentRules = ValueOf<typeof AgentPolicy>;

const DEFAULT_RULES: AgentRules = {
  confirmation: 'agent',
  holds: [],
  approvers: 'administrators',
  callsPerDay: null,
  sendsPerDay: null,
  changesPerDay: null,
  callsPerMinute: null,
  version: 0,
};

const reads: Policy = { auth: ['USER'], scope: 'read' };

export const agentPolicy = defineOperation('agentPolicy', {
  effects: ['reads'],
  policy: reads,
  description: "Returns the workspace's rules for its agents.",
  args: () => ({}),
  type: AgentPolicy.ref as object,
  run: (ctx) => loadAgentRules(ctx),
});

export const agentPolicySave = defineOperation('agentPolicySave', {
  effects: ['writes', 'grants'],
  policy: { auth: ['ADMIN'], scope: 'write', audit: 'agent.policy' },
  description:
    "Changes the workspace's rules for its agents. Omitted fields keep their values; null removes a limit.",
  args: (arg) => ({
    confirmation: arg({ type: Confirmation.ref as never, description: 'Confirmation mode for actions.' }),
    holds: arg({ type: [AgentHold.ref as never], description: 'Actions that a person must approve.' }),
    approvers: arg({
      type: Approvers.ref as never,
      description: 'Users who can approve or reject held actions.',
    }),
    callsPerDay: arg.int({ description: BUDGET_DESCRIPTIONS.callsPerDay }),
    sendsPerDay: arg.int({ description: BUDGET_DESCRIPTIONS.sendsPerDay }),
    changesPerDay: arg.int({ description: BUDGET_DESCRIPTIONS.changesPerDay }),
    callsPerMinute: arg.int({ description: BUDGET_DESCRIPTIONS.callsPerMinute }),
    expectedVersion: arg.int({ description: describeExpectedVersion('rules') }),
  }),
  type: AgentPolicy.ref as object,
  run: (ctx, { expectedVersion, ...changes }) => saveRules(ctx, changes, expectedVersion),
});

/** Rejects agents, which could otherwise loosen their own limits. */
async function saveRules(
  ctx: Ctx,
  changes: Record<string, unknown>,
  expectedVersion: number | null | undefined,
) {
  await rejectAgents(ctx);
  return ctx.tx(async (tx) => {
    // Serialized, so that concurrent changes do not overwrite each other.
    await tx.db.rows(
      sql`select pg_advisory_xact_lock(hashtext('agent policy'), ${sql.param(tx.workspace.id)}::int)`,
    );
    const before = await loadAgentRules(tx);
    assertVersion('rules', before.version, expectedVersion);
    return storeAgentRules(tx, applyRuleChanges(before, changes));
  });
}

function applyRuleChanges(before: AgentRules, changes: Record<string, unknown>): AgentRules {
  const rules = { ...before, version: before.version + 1 };
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) continue;
    if (name in BUDGET_DESCRIPTIONS) checkBudget(name, value as number | null);
    Object.assign(rules, { [name]: value ?? DEFAULT_RULES[name as keyof AgentRules] });
  }
  return rules;
}

async function storeAgentRules(ctx: Ctx, rules: AgentRules): Promise<AgentRules> {
  const { id } = ctx.workspace;
  await ctx.db.rows(
    sql`insert into svc_agent_policy (workspace_id, confirmation, holds, approvers, calls_per_day, sends_per_day,
       changes_per_day, calls_per_minute, row_version)
     values (${id}, ${rules.confirmation}, ${[...new Set(rules.holds)]}, ${rules.approvers}, ${rules.callsPerDay},
       ${rules.sendsPerDay}, ${rules.changesPerDay}, ${rules.callsPerMinute}, ${rules.version})
     on conflict (workspace_id) do update set confirmation = excluded.confirmation, holds = excluded.holds,
       approvers = excluded.approvers, calls_per_day = excluded.calls_per_day,
       sends_per_day = excluded.sends_per_day, changes_per_day = excluded.changes_per_day,
       calls_per_minute = excluded.calls_per_minute, row_version = excluded.row_version`,
  );
  return rules;
}

export async function loadAgentRules(ctx: Ctx): Promise<AgentRules> {
  const [row] = await ctx.db.rows<AgentRules>(
    sql`select confirmation, holds, approvers, calls_per_day as "callsPerDay", sends_per_day as "sendsPerDay",
       changes_per_day as "changesPerDay", calls_per_minute as "callsPerMinute", row_version as version
     from svc_agent_policy where workspace_id = ${ctx.workspace.id}`,
  );
  return row ?? DEFAULT_RULES;
}
