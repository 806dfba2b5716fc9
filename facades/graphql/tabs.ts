import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { call } from '../../src/engine/operation/call.ts';
import { operations } from '../../src/engine/operation/operation.ts';
import { canCall } from '../../src/engine/operation/policy.ts';

export interface GraphiqlTab {
  query: string;
  variables: string;
}

/**
 * Builds example operations that a workspace administrator can run unchanged. The first one is short enough for its
 * pane. The sender address uses a verified domain only for callers who may list domains.
 */
export async function buildTabs(ctx: Ctx): Promise<GraphiqlTab[]> {
  const canRun = (operation: string) => canCall(ctx, operations.get(operation)!.policy);
  const domains = canRun('domainList') ? (await call(ctx, 'domainList', {})).value<DomainRow[]>() : [];
  const verified = domains.find(({ status }) => status === 'SUCCESS')?.name;
  const input = {
    from: `Hello <hello@${verified ?? `${ctx.workspace.slug}.localhost`}>`,
    to: ['you@example.org'],
    subject: 'Hello from GraphQL',
    text: 'It works.',
  };
  return [
    buildTab(CONTACTS, {}),
    ...(canRun('emailSend') ? [buildTab(SEND, { input })] : []),
    buildTab(CREATE, { input: { name: 'Ada Lovelace', email: 'ada@example.org' } }),
    buildTab(GROUPS, { where: { active: { eq: true } } }),
    buildTab(CHANGES, {}),
  ];
}

interface DomainRow {
  name: string;
  status: string;
}

/** The first tab has no variables, because GraphiQL does not show them until another tab has been opened. */
const buildTab = (query: string, variables: object): GraphiqlTab => ({
  query,
  variables: JSON.stringify(variables, null, 2),
});

const CONTACTS = `# Ctrl+Space completes, Ctrl+Enter runs.
query Contacts {
  partners(
    first: 5
    where: { isCompany: { eq: false } }
    orderBy: [{ field: NAME }]
  ) {
    totalCount
    nodes {
      id
      name
      email
      parent { id name }
    }
  }
}
`;

const SEND = `# Accepts an email. Its text stands in the variables.
mutation SendEmail($input: EmailInput!) {
  emailSend(input: $input) {
    id
    subject
    to
    createdAt
  }
}
`;

const CREATE = `mutation CreateContact($input: PartnerCreateInput!) {
  partnerCreate(input: $input) {
    id
    name
    email
    createdAt
  }
}
`;

const GROUPS = `# One row for each stage of the pipeline.
query LeadsByStage($where: CrmLeadWhere) {
  crmLeadGroups(
    groupBy: [{ field: STAGE }]
    where: $where
  ) {
    key { stage { name } }
    count
    expectedRevenue { sum avg }
  }
}
`;

const CHANGES = `# Stays open: run CreateContact and come back.
subscription ContactChanges {
  partnerChanged {
    kind
    id
    record { name email }
    cursor
  }
}
`;
