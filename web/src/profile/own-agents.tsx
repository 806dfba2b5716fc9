import './profile.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { runMutation } from '../graphql/client.ts';
import { formatCount, formatWhen } from '../i18n/format.ts';
import { ConfirmButton } from '../shell/action-buttons.tsx';
import { LoadError, Screen } from '../shell/screen.tsx';
import { shellStrings } from '../shell/strings.ts';
import { useLiveQuery } from '../shell/use-graphql-query.ts';
import { useViewer } from '../shell/viewer.ts';
import { Timestamp } from '../ui/layout/timestamp.tsx';
import { showToast } from '../ui/toasts.tsx';
import { AgentConnectionSetup } from './agent-connect.tsx';
import { AgentTrail } from './agent-trail.tsx';
import {
  AgentDisconnectDocument,
  AgentRevokeDocument,
  AgentsDocument,
  type AgentsQuery,
} from './generated.ts';
import { OwnHeldActions } from './own-held-actions.tsx';
import { profileStrings } from './strings.ts';

type KeyAgent = AgentsQuery['agents']['nodes'][number];
type ConnectedAgent = AgentsQuery['connectedAgents']['nodes'][number];

export function OwnAgents() {
  const { viewer, workspace } = useViewer();
  const { data, refusal, reload } = useLiveQuery(AgentsDocument, { user: viewer.userId! }, 'svc.agent');
  const { agent: selectedAgent } = useSearch({ from: '/profile/agents' });
  const navigate = useNavigate();
  const connected = (data?.connectedAgents.nodes ?? []).filter(
    ({ expiresAt }) => new Date(expiresAt).getTime() > Date.now(),
  );
  const keyed = (data?.agents.nodes ?? []).filter(({ kind }) => kind === 'KEY');
  const trailAgent = data?.agents.nodes.find(({ id }) => id === selectedAgent);
  return (
    <Screen title={shellStrings.pages.agents}>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {data && (
        <div className="profile">
          <p className="quiet">{profileStrings.agentsText}</p>
          <OwnHeldActions />
          <section className="card">
            <h2>{profileStrings.agentsBySignIn}</h2>
            {connected.length === 0 && <p className="quiet">{profileStrings.noAgentsBySignIn}</p>}
            <ul className="item-rows">
              {connected.map((item) => (
                <ConnectedAgentRow
                  key={item.id}
                  agent={item}
                  trail={data.agents.nodes.find(({ connectedId }) => connectedId === item.id)?.id}
                  reload={reload}
                />
              ))}
            </ul>
          </section>
          <section className="card">
            <h2>{profileStrings.agentsByKey}</h2>
            <p className="quiet">
              {keyed.length === 0 ? profileStrings.noAgentsByKey : profileStrings.agentsByKeyText}
            </p>
            <ul className="item-rows">
              {keyed.map((item) => (
                <KeyAgentRow key={item.id} agent={item} reload={reload} />
              ))}
            </ul>
          </section>
          {workspace.features.includes('MCP') ? <AgentConnectionSetup /> : <AgentsOffNotice />}
        </div>
      )}
      {trailAgent && (
        <AgentTrail
          agent={trailAgent.id}
          name={getAgentName(trailAgent)}
          onClose={() => void navigate({ to: '/profile/agents' })}
        />
      )}
    </Screen>
  );
}

/** Replaces the connection options if agents are disabled in the workspace. */
function AgentsOffNotice() {
  const { can } = useViewer();
  return (
    <section className="card">
      <h2>{profileStrings.agentsOff}</h2>
      <p>{profileStrings.agentsOffText}</p>
      {can.has('featureSet') ? (
        <p>
          <Link to="/admin/features">{profileStrings.turnOnAgents}</Link>
        </p>
      ) : (
        <p>{profileStrings.agentsOffHint}</p>
      )}
    </section>
  );
}

const getAgentName = ({ name }: KeyAgent): string => name || profileStrings.unnamedProgram;

function ConnectedAgentRow({
  agent,
  trail,
  reload,
}: {
  agent: ConnectedAgent;
  trail?: string;
  reload(): void;
}) {
  const { id, client, redirectHost, scopes, createdAt, lastUsedAt, calls } = agent;
  return (
    <AgentRow
      name={client}
      beside={redirectHost}
      text={profileStrings.disconnectText}
      trail={trail}
      reload={reload}
      disconnect={() => runMutation(AgentDisconnectDocument, { id })}
    >
      {profileStrings.agentPermissions(scopes)} · {profileStrings.connected(formatWhen(createdAt))} ·{' '}
      <LastUse at={lastUsedAt} /> · {formatCount(calls, profileStrings.callCount)}
    </AgentRow>
  );
}

const KeyAgentRow = ({ agent, reload }: { agent: KeyAgent; reload(): void }) => (
  <AgentRow
    name={getAgentName(agent)}
    beside={agent.keyName ? profileStrings.agentKey(agent.keyName) : ''}
    text={profileStrings.disconnectKeyText}
    trail={agent.id}
    reload={reload}
    disconnect={() => runMutation(AgentRevokeDocument, { id: agent.id })}
  >
    <Timestamp at={agent.createdAt} format={profileStrings.firstSeen} /> ·{' '}
    <Timestamp at={agent.lastSeenAt} format={profileStrings.lastUsed} /> ·{' '}
    {formatCount(agent.callCount, profileStrings.callCount)}
  </AgentRow>
);

const LastUse = ({ at }: { at: string | null }) =>
  at ? <Timestamp at={at} format={profileStrings.lastUsed} /> : profileStrings.neverUsed;

interface AgentRowProps {
  name: string;
  beside: string;
  text: string;
  /** Id of the agent whose calls are recorded. Undefined if there are no calls. */
  trail: string | undefined;
  reload(): void;
  disconnect(): Promise<unknown>;
  children: ReactNode;
}

function AgentRow({ name, beside, text, trail, reload, disconnect, children }: AgentRowProps) {
  const end = async () => {
    await disconnect();
    showToast(profileStrings.disconnected(name));
    reload();
  };
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
          aria-label={profileStrings.trailTitle(name)}
        >
          {profileStrings.trail}
        </Link>
      )}
      <ConfirmButton
        label={profileStrings.disconnect}
        aria-label={profileStrings.disconnectNamed(name)}
        title={profileStrings.disconnectNamed(name)}
        text={text}
        onYes={end}
      />
    </li>
  );
}
