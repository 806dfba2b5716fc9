import '../operation.css';
import './agents.css';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { change } from '../../../graphql/client.ts';
import { useFresh } from '../../../graphql/live.ts';
import { counted, formatInstant, formatNumber } from '../../../i18n/format.ts';
import { useAct } from '../../../shell/act.ts';
import { useAnswer } from '../../../shell/answer.ts';
import { Failed, Screen } from '../../../shell/screen.tsx';
import { useViewer } from '../../../shell/viewer.ts';
import { shellWords } from '../../../shell/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { say } from '../../../ui/toasts.tsx';
import { Facts } from '../one.tsx';
import { operationWords } from '../words.ts';
import { AgentDocument, type AgentQuery, AgentRevokeDocument } from './generated.ts';
import { Trail } from './trail.tsx';

type Agent = NonNullable<AgentQuery['agent']>;

/** An agent: for whom it acts, what it may do, and what it has done. */
export function AgentPage() {
  const { id } = useParams({ from: '/admin/agents/$id' });
  const { can } = useViewer();
  const [isRevoking, setRevoking] = useState(false);
  const { data, refusal, reload } = useAnswer(AgentDocument, { id });
  useFresh('svc.agent', reload);
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
      {refusal && <Failed refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <p role="status">{shellWords.loading}</p>}
      {data && !agent && <Empty title={operationWords.noSuchAgent} />}
      {agent && (
        <>
          <section className="card" aria-label={operationWords.agent}>
            <AgentFactsShown agent={agent} />
          </section>
          <Trail agent={id} tools={data.tools.flatMap(({ key }) => key.tool ?? [])} />
        </>
      )}
      {agent && isRevoking && <Revoke agent={agent} name={name} onClose={() => setRevoking(false)} />}
    </Screen>
  );
}

const AgentFactsShown = ({ agent }: { agent: Agent }) => (
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
      [operationWords.mayDo, scopesText(agent.scope)],
      [operationWords.firstCall, formatInstant(agent.createdAt)],
      [operationWords.lastCall, formatInstant(agent.lastCallAt)],
      [operationWords.callsInAll, formatNumber(agent.callCount)],
      [
        operationWords.lastDay,
        [
          counted(agent.callsOfDay, operationWords.calls),
          counted(agent.sendsOfDay, operationWords.sent),
          counted(agent.changesOfDay, operationWords.changed),
        ].join(' · '),
      ],
      [
        operationWords.held,
        agent.helds.totalCount > 0 && (
          <Link to="/admin/agents/held" search={{}}>
            {counted(agent.helds.totalCount, operationWords.waitingCount)}
          </Link>
        ),
      ],
    ]}
  />
);

/** Scopes in words; none is no limit. */
const scopesText = (scope: string | null): string =>
  scope === null
    ? operationWords.allOfUser
    : scope
        .split(',')
        .map((each) => operationWords.scopes[each] ?? each)
        .join(', ');

function Revoke({ agent, name, onClose }: { agent: Agent; name: string; onClose(): void }) {
  const { act } = useAct();
  const revoke = () =>
    act(async () => {
      await change(AgentRevokeDocument, { id: agent.id });
      say(operationWords.revoked(name));
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
