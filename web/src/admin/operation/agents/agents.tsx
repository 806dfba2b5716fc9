import './agents.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useLiveRows } from '../../../graphql/use-rows.ts';
import { formatCount } from '../../../i18n/format.ts';
import { RowList } from '../../../shell/rows/row-list.tsx';
import { Screen } from '../../../shell/screen.tsx';
import { SearchField } from '../../../shell/search-field.tsx';
import { useViewer } from '../../../shell/viewer.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FilterSelect } from '../../../ui/filter-select.tsx';
import { Timestamp } from '../../../ui/layout/timestamp.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { operationStrings } from '../strings.ts';
import { AGENT_STATES, type AgentsView, toAgentsVariables } from './address.ts';
import { type AgentFactsFragment, AgentsDocument } from './generated.ts';

/** Lists the agents, sorted by the time of their last call. */
export function Agents() {
  const view = useSearch({ from: '/admin/agents' });
  const navigate = useNavigate({ from: '/admin/agents' });
  const show = (changes: AgentsView) => void navigate({ search: (old) => ({ ...old, ...changes }) });
  return (
    <Screen
      title={operationStrings.agents}
      isFull
      actions={
        <Link to="/admin/agents/held" search={{}} className="button">
          {operationStrings.heldActions}
        </Link>
      }
    >
      <div className="split">
        <div className="split-list">
          <div className="list-filters">
            <SearchField
              hint={operationStrings.agentSearchHint}
              value={view.q}
              onSearch={(q) => show({ q })}
            />
            <FilterSelect
              label={operationStrings.status}
              choices={AGENT_STATES}
              labels={operationStrings.agentStates}
              value={view.state}
              onChoose={(state) => show({ state })}
            />
          </div>
          <AgentList view={view} show={show} />
        </div>
      </div>
    </Screen>
  );
}

function AgentList({ view, show }: { view: AgentsView; show(changes: AgentsView): void }) {
  const navigate = useNavigate();
  const { workspace } = useViewer();
  const variables = toAgentsVariables(view);
  const rows = useLiveRows(AgentsDocument, variables, ({ agents }) => agents, 'svc.agent');
  const isFiltered = view.q !== undefined || view.state !== undefined;
  return (
    <RowList
      label={operationStrings.agents}
      variables={variables}
      rows={rows}
      onOpen={({ id }) => void navigate({ to: '/admin/agents/$id', params: { id } })}
      keys={operationStrings.keys}
      countText={(total) => formatCount(total, operationStrings.agentCount)}
      none={
        <EmptyState title={isFiltered ? operationStrings.noMatchingAgents : operationStrings.noAgents}>
          {isFiltered ? (
            <Button onClick={() => show({ q: undefined, state: undefined })}>
              {operationStrings.showAll}
            </Button>
          ) : workspace.features.includes('MCP') ? (
            <>
              <p>{operationStrings.noAgentsText}</p>
              <Link to="/profile/agents">{operationStrings.connectProgram}</Link>
            </>
          ) : (
            <>
              <p>{operationStrings.agentsOff}</p>
              <Link to="/admin/features">{operationStrings.turnOnAgents}</Link>
            </>
          )}
        </EmptyState>
      }
      renderRow={(agent) => <AgentRow agent={agent} />}
    />
  );
}

const AgentRow = ({ agent }: { agent: AgentFactsFragment }) => (
  <div className="list-row agent-row">
    <strong>{agent.name || operationStrings.unnamedProgram}</strong>
    <span className="agent-user">
      {operationStrings.forUser(agent.user?.login ?? operationStrings.noUser)}
    </span>
    <span className="agent-calls quiet">
      {operationStrings.kinds[agent.kind]} · {formatCount(agent.callCount, operationStrings.callCount)}
    </span>
    <StatusBadge tone={agent.revokedAt ? 'plain' : 'good'}>
      {operationStrings.agentStates[agent.revokedAt ? 'revoked' : 'active']}
    </StatusBadge>
    <Timestamp at={agent.lastCallAt} />
  </div>
);
