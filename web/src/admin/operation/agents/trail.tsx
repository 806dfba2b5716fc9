import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useReloadOnChange } from '../../../graphql/live.ts';
import { useRows } from '../../../graphql/use-rows.ts';
import { formatCount } from '../../../i18n/format.ts';
import { LoadedRows } from '../../../shell/rows/loaded-rows.tsx';
import { SearchField } from '../../../shell/search-field.tsx';
import { shellStrings } from '../../../shell/strings.ts';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FilterSelect } from '../../../ui/filter-select.tsx';
import { Timestamp } from '../../../ui/layout/timestamp.tsx';
import { operationStrings } from '../strings.ts';
import { CALL_OUTCOMES, type TrailView } from './address.ts';
import { CallDialog } from './call-dialog.tsx';
import { AgentToolsDocument, type McpCallFactsFragment, McpCallsDocument } from './generated.ts';
import { OutcomeBadge } from './outcome-badge.tsx';

export function CallTrail({ agent }: { agent: string }) {
  const view = useSearch({ from: '/admin/agents/$id' });
  const navigate = useNavigate({ from: '/admin/agents/$id' });
  const [active, setActive] = useState(0);
  const rows = useRows(
    McpCallsDocument,
    { agent, q: view.q, tool: view.tool, outcome: view.outcome && [view.outcome] },
    ({ mcpCalls }) => mcpCalls,
  );
  const { data, reload } = useGraphqlQuery(AgentToolsDocument, { agent });
  const tools = data?.mcpCallGroups.flatMap(({ key }) => key.tool ?? []) ?? [];
  useReloadOnChange('svc.mcp.log', () => {
    rows.reload();
    reload();
  });
  const show = (changes: TrailView) => {
    if (!('call' in changes)) setActive(0);
    void navigate({ search: (old) => ({ ...old, ...changes }) });
  };
  const open = (index: number) => {
    setActive(index);
    const call = rows.row(index);
    if (call) show({ call: call.id });
  };
  return (
    <section className="list-section" aria-labelledby="trail-title">
      <header>
        <h2 id="trail-title">{operationStrings.calls}</h2>
        <span className="quiet small" role="status">
          {rows.total === null ? shellStrings.loading : formatCount(rows.total, operationStrings.callCount)}
        </span>
      </header>
      <TrailFilters view={view} tools={tools} show={show} />
      <LoadedRows
        label={operationStrings.calls}
        isCard
        rows={rows}
        active={active}
        onActive={setActive}
        onOpen={open}
        none={<NoCalls view={view} show={show} />}
        renderRow={(call) => <CallRow call={call} />}
      />
      {view.call && <CallDialog id={view.call} agent={agent} onClose={() => show({ call: undefined })} />}
    </section>
  );
}

interface TrailFiltersProps {
  view: TrailView;
  show(changes: TrailView): void;
}

const TrailFilters = ({ view, tools, show }: TrailFiltersProps & { tools: string[] }) => (
  <div className="agent-filters">
    <SearchField hint={operationStrings.trailSearchHint} value={view.q} onSearch={(q) => show({ q })} />
    <FilterSelect
      label={operationStrings.tool}
      choices={[...new Set(tools)]}
      value={view.tool}
      onChoose={(tool) => show({ tool })}
    />
    <FilterSelect
      label={operationStrings.result}
      choices={CALL_OUTCOMES}
      labels={operationStrings.outcomes}
      value={view.outcome}
      onChoose={(outcome) => show({ outcome })}
    />
  </div>
);

function NoCalls({ view, show }: TrailFiltersProps) {
  const isFiltered = [view.q, view.tool, view.outcome].some((item) => item !== undefined);
  return (
    <EmptyState title={isFiltered ? operationStrings.noMatchingCalls : operationStrings.noCalls}>
      {isFiltered && (
        <Button onClick={() => show({ q: undefined, tool: undefined, outcome: undefined })}>
          {operationStrings.showAll}
        </Button>
      )}
    </EmptyState>
  );
}

const CallRow = ({ call }: { call: McpCallFactsFragment }) => (
  <div className="list-row agent-call-row">
    <OutcomeBadge outcome={call.outcome} success={call.success} />
    <code>{call.tool}</code>
    <span className="agent-call-about quiet">
      {[call.modelName, call.recordCount > 0 && formatCount(call.recordCount, operationStrings.recordCount)]
        .filter(Boolean)
        .join(' · ')}
    </span>
    <Timestamp at={call.createdAt} />
  </div>
);
