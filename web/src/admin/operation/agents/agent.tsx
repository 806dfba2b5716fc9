import '../operation.css';
import './agents.css';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { runMutation } from '../../../graphql/client.ts';
import { useReloadOnChange } from '../../../graphql/live.ts';
import { formatCount, formatInstant, formatNumber } from '../../../i18n/format.ts';
import { LoadError, Screen } from '../../../shell/screen.tsx';
import { useAction } from '../../../shell/use-action.ts';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { useViewer } from '../../../shell/viewer.ts';
import { shellWords } from '../../../shell/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { Facts } from '../detail-panel.tsx';
import { operationWords } from '../words.ts';
import { AgentDocument, type AgentQuery, AgentRevokeDocument } from './generated.ts';
import { Trail } from './trail.tsx';

type Agent = NonNullable<AgentQuery['agent']>;

/** An agent: for whom it acts, what it may do, and what it has done. */
export function AgentPage() {
  const { id } = useParams({ from: '/admin/agents/$id' });
  const { can } = useViewer();
  const [isRevoking, setRevoking] = useState(false);
  const { data, refusal, reload } = useGraphqlQuery(AgentDocument, { id });
  useReloadOnChange('svc.agent', reload);
  const agent = data?.agent;
  const name = agent?.clientName || operationWords.unnamed;
  return (
    <Screen
      title={agent ? name : operationWords.agent}
      needs="featureSet"
      actions={
        agent &&
        agent.revokedAt === null &&
        can.has('agentRevoke') && (
          <Button icon="close" onClick={() => setRevoking(true)}>
            {operationWords.revoke}
          </Button>
        )
      }
    >
      <p>
        <Link to="/admin/agents" search={{}}>
          ‹ {operationWords.agents}
        </Link>
      </p>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <p role="status">{shellWords.loading}</p>}
      {data && !agent && <EmptyState title={operationWords.noSuchAgent} />}
      {agent && (
        <>
          <section className="card" aria-label={operationWords.agent}>
            <AgentDetails agent={agent} />
          </section>
          <Trail agent={id} tools={data.tools.flatMap(({ key }) => key.tool ?? [])} />
        </>
      )}
      {agent && isRevoking && <Revoke agent={agent} name={name} onClose={() => setRevoking(false)} />}
    </Screen>
  );
}

const AgentDetails = ({ agent }: { agent: Agent }) => (
  <Facts
    facts={[
      [
        operationWords.state,
        <StatusBadge key="state" tone={agent.revokedAt ? 'plain' : 'good'}>
          {agent.revokedAt
            ? operationWords.revokedAt(formatInstant(agent.revokedAt))
            : operationWords.agentStates.active}
        </StatusBadge>,
      ],
      [operationWords.user, agent.user && `${agent.user.displayName} (${agent.user.login})`],
      [operationWords.signsInBy, operationWords.kinds[agent.kind]],
      [operationWords.mayDo, formatScopes(agent.scope)],
      [operationWords.firstCall, formatInstant(agent.createdAt)],
      [operationWords.lastCall, formatInstant(agent.lastCallAt)],
      [operationWords.callsInAll, formatNumber(agent.callCount)],
      [
        operationWords.lastDay,
        [
          formatCount(agent.callsOfDay, operationWords.calls),
          formatCount(agent.sendsOfDay, operationWords.sent),
          formatCount(agent.changesOfDay, operationWords.changed),
        ].join(' · '),
      ],
      [
        operationWords.held,
        agent.helds.totalCount > 0 && (
          <Link to="/admin/agents/held" search={{}}>
            {formatCount(agent.helds.totalCount, operationWords.waitingCount)}
          </Link>
        ),
      ],
    ]}
  />
);

/** Scopes in words; none is no limit. */
const formatScopes = (scope: string | null): string =>
  scope === null
    ? operationWords.allOfUser
    : scope
        .split(',')
        .map((each) => operationWords.scopes[each] ?? each)
        .join(', ');

function Revoke({ agent, name, onClose }: { agent: Agent; name: string; onClose(): void }) {
  const { act } = useAction();
  const revoke = () =>
    act(async () => {
      await runMutation(AgentRevokeDocument, { id: agent.id });
      showToast(operationWords.revoked(name));
    });
  return (
    <Confirm
      title={operationWords.revokeTitle(name)}
      yes={operationWords.revoke}
      no={shellWords.close}
      onYes={revoke}
      onClose={onClose}
    >
      <p>{operationWords.revokeTexts[agent.kind]}</p>
    </Confirm>
  );
}
