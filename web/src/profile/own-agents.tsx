import './profile.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { change } from '../graphql/client.ts';
import { useFresh } from '../graphql/live.ts';
import { counted, formatInstant, formatWhen } from '../i18n/format.ts';
import { useAct } from '../shell/act.ts';
import { useAnswer } from '../shell/answer.ts';
import { Failed, Screen } from '../shell/screen.tsx';
import { useViewer } from '../shell/viewer.ts';
import { shellWords } from '../shell/words.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { say } from '../ui/toasts.tsx';
import { AgentConnect } from './agent-connect.tsx';
import { AgentTrail } from './agent-trail.tsx';
import {
  AgentDisconnectDocument,
  AgentRevokeDocument,
  AgentsDocument,
  type AgentsQuery,
} from './generated.ts';
import { HeldForMe } from './held-for-me.tsx';
import { profileWords } from './words.ts';

type Keyed = AgentsQuery['agents']['nodes'][number];
type Connected = AgentsQuery['connectedAgents']['nodes'][number];

/** Programs that act for the user: what each may do and has done, and the way to end it. */
export function OwnAgents() {
  const { viewer, workspace } = useViewer();
  const { data, refusal, reload } = useAnswer(AgentsDocument, { user: viewer.userId! });
  const { agent: shown } = useSearch({ from: '/profile/agents' });
  const navigate = useNavigate();
  useFresh('svc.agent', reload);
  const connected = (data?.connectedAgents.nodes ?? []).filter(
    ({ expiresAt }) => new Date(expiresAt).getTime() > Date.now(),
  );
  const keyed = (data?.agents.nodes ?? []).filter(({ kind }) => kind === 'KEY');
  const trailOf = data?.agents.nodes.find(({ id }) => id === shown);
  return (
    <Screen title={shellWords.pages.agents} needs="connectedAgents">
      {refusal && <Failed refusal={refusal} onAgain={reload} />}
      {data && (
        <div className="profile">
          <p className="quiet">{profileWords.agentsText}</p>
          <HeldForMe />
          <section className="card">
            <h2>{profileWords.agentsSignedIn}</h2>
            {connected.length === 0 && <p className="quiet">{profileWords.agentsSignedInNone}</p>}
            <ul className="profile-rows">
              {connected.map((each) => (
                <ConnectedRow
                  key={each.id}
                  agent={each}
                  trail={data.agents.nodes.find(({ connectedId }) => connectedId === each.id)?.id}
                  reload={reload}
                />
              ))}
            </ul>
          </section>
          <section className="card">
            <h2>{profileWords.agentsByKey}</h2>
            <p className="quiet">
              {keyed.length === 0 ? profileWords.agentsByKeyNone : profileWords.agentsByKeyText}
            </p>
            <ul className="profile-rows">
              {keyed.map((each) => (
                <KeyedRow key={each.id} agent={each} reload={reload} />
              ))}
            </ul>
          </section>
          {workspace.features.includes('MCP') ? <AgentConnect /> : <AgentsOff />}
        </div>
      )}
      {trailOf && (
        <AgentTrail
          agent={trailOf.id}
          name={nameOf(trailOf)}
          onClose={() => void navigate({ to: '/profile/agents' })}
        />
      )}
    </Screen>
  );
}

/** Where no program is let in, nothing is offered to connect one with. */
function AgentsOff() {
  const { can } = useViewer();
  return (
    <section className="card">
      <h2>{profileWords.agentsOff}</h2>
      <p>{profileWords.agentsOffText}</p>
      {can.has('featureSet') ? (
        <p>
          <Link to="/admin/features">{profileWords.agentsSwitchOn}</Link>
        </p>
      ) : (
        <p>{profileWords.agentsOffAsk}</p>
      )}
    </section>
  );
}

const nameOf = ({ clientName }: Keyed): string => clientName || profileWords.agentUnnamed;

function ConnectedRow({ agent, trail, reload }: { agent: Connected; trail?: string; reload(): void }) {
  const { id, client, redirectHost, scopes, createdAt, lastUsedAt, calls } = agent;
  return (
    <AgentRow
      name={client}
      beside={redirectHost}
      text={profileWords.disconnectText}
      trail={trail}
      reload={reload}
      disconnect={() => change(AgentDisconnectDocument, { id })}
    >
      {profileWords.agentMay(scopes)} · {profileWords.connected(formatWhen(createdAt))} ·{' '}
      <Used at={lastUsedAt} /> · {counted(calls, profileWords.agentCalls)}
    </AgentRow>
  );
}

const KeyedRow = ({ agent, reload }: { agent: Keyed; reload(): void }) => (
  <AgentRow
    name={nameOf(agent)}
    beside={agent.keyName ? profileWords.agentKey(agent.keyName) : ''}
    text={profileWords.disconnectKeyText}
    trail={agent.id}
    reload={reload}
    disconnect={() => change(AgentRevokeDocument, { id: agent.id })}
  >
    <time dateTime={agent.createdAt} title={formatInstant(agent.createdAt)}>
      {profileWords.firstSeen(formatWhen(agent.createdAt))}
    </time>{' '}
    ·{' '}
    <time dateTime={agent.lastSeenAt} title={formatInstant(agent.lastSeenAt)}>
      {profileWords.lastSeen(formatWhen(agent.lastSeenAt))}
    </time>{' '}
    · {counted(agent.callCount, profileWords.agentCalls)}
  </AgentRow>
);

const Used = ({ at }: { at: string | null }) =>
  at ? (
    <time dateTime={at} title={formatInstant(at)}>
      {profileWords.used(formatWhen(at))}
    </time>
  ) : (
    profileWords.neverUsed
  );

interface AgentRowProps {
  name: string;
  beside: string;
  /** What disconnecting means. */
  text: string;
  /** The agent whose calls are kept; none for one that never called. */
  trail: string | undefined;
  reload(): void;
  disconnect(): Promise<unknown>;
  children: ReactNode;
}

function AgentRow({ name, beside, text, trail, reload, disconnect, children }: AgentRowProps) {
  const [isAsking, setAsking] = useState(false);
  const { act } = useAct();
  const end = () =>
    act(async () => {
      await disconnect();
      say(profileWords.disconnected(name));
      reload();
    });
  return (
    <li>
      <div>
        <strong>{name}</strong> <span className="quiet">{beside}</span>
        <p className="quiet small">{children}</p>
      </div>
      {trail && (
        <Link
          to="/profile/agents"
          search={{ agent: trail }}
          className="button"
          aria-label={profileWords.trailOf(name)}
        >
          {profileWords.trail}
        </Link>
      )}
      <Button onClick={() => setAsking(true)} aria-label={profileWords.disconnectOf(name)}>
        {profileWords.disconnect}
      </Button>
      {isAsking && (
        <Confirm
          title={profileWords.disconnectOf(name)}
          yes={profileWords.disconnect}
          no={shellWords.cancel}
          onYes={end}
          onClose={() => setAsking(false)}
        >
          <p>{text}</p>
        </Confirm>
      )}
    </li>
  );
}
