import { BackLink } from '../../../shell/back-link.tsx';
import { runWithToast } from '../../../shell/run-with-toast.ts';
import './agents.css';
import { Link, useParams } from '@tanstack/react-router';
import { formatCount, formatInstant, formatNumber } from '../../../i18n/format.ts';
import { ConfirmButton } from '../../../shell/action-buttons.tsx';
import { LoadStatus } from '../../../shell/loading.tsx';
import { Screen } from '../../../shell/screen.tsx';
import { useLiveQuery } from '../../../shell/use-graphql-query.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Facts } from '../../../ui/layout/facts.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { operationStrings } from '../strings.ts';
import { AgentDocument, type AgentQuery, AgentRevokeDocument } from './generated.ts';
import { CallTrail } from './trail.tsx';

type Agent = NonNullable<AgentQuery['agent']>;

export function AgentPage() {
  const { id } = useParams({ from: '/admin/agents/$id' });
  const { data, refusal, reload } = useLiveQuery(AgentDocument, { id }, 'svc.agent');
  const agent = data?.agent;
  const name = agent?.name || operationStrings.unnamedProgram;
  return (
    <Screen
      title={agent ? name : operationStrings.agent}
      actions={
        agent &&
        agent.revokedAt === null && (
          <ConfirmButton
            needs="agentRevoke"
            icon="close"
            label={operationStrings.revoke}
            title={operationStrings.revokeTitle(name)}
            text={operationStrings.revokeTexts[agent.kind]}
            onYes={async () => {
              await runWithToast(AgentRevokeDocument, { id }, operationStrings.revoked(name));
            }}
          />
        )
      }
    >
      <BackLink to="/admin/agents" search={{}}>
        {operationStrings.agents}
      </BackLink>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && !agent && <EmptyState title={operationStrings.agentNotFound} />}
      {agent && (
        <>
          <section className="card" aria-label={operationStrings.agent}>
            <AgentDetails agent={agent} />
          </section>
          <CallTrail agent={id} />
        </>
      )}
    </Screen>
  );
}

const AgentDetails = ({ agent }: { agent: Agent }) => (
  <Facts
    facts={[
      [
        operationStrings.status,
        <StatusBadge key="state" tone={agent.revokedAt ? 'plain' : 'good'}>
          {agent.revokedAt
            ? operationStrings.revokedAt(formatInstant(agent.revokedAt))
            : operationStrings.agentStates.active}
        </StatusBadge>,
      ],
      [operationStrings.user, agent.user && `${agent.user.displayName} (${agent.user.login})`],
      [operationStrings.authentication, operationStrings.kinds[agent.kind]],
      [operationStrings.permissions, formatScopes(agent.scope)],
      [operationStrings.firstCall, formatInstant(agent.createdAt)],
      [operationStrings.lastCall, formatInstant(agent.lastCallAt)],
      [operationStrings.totalCalls, formatNumber(agent.callCount)],
      [
        operationStrings.lastDay,
        [
          formatCount(agent.callsOfDay, operationStrings.callCount),
          formatCount(agent.sendsOfDay, operationStrings.sentCount),
          formatCount(agent.changesOfDay, operationStrings.changedCount),
        ].join(' · '),
      ],
      [
        operationStrings.heldActions,
        agent.helds.totalCount > 0 && (
          <Link to="/admin/agents/held" search={{}}>
            {formatCount(agent.helds.totalCount, operationStrings.waitingCount)}
          </Link>
        ),
      ],
    ]}
  />
);

/** Null means no restriction. */
const formatScopes = (scope: string | null): string =>
  scope === null
    ? operationStrings.allRightsOfUser
    : scope
        .split(',')
        .map((item) => operationStrings.scopes[item] ?? item)
        .join(', ');
