import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useReloadOnChange } from '../../../graphql/live.ts';
import { useRows } from '../../../graphql/use-rows.ts';
import { formatCount, formatInstant, formatWhen } from '../../../i18n/format.ts';
import { LoadError } from '../../../shell/screen.tsx';
import { SearchField } from '../../../shell/search-field.tsx';
import { shellStrings } from '../../../shell/strings.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Select } from '../../../ui/field.tsx';
import { ROW_HEIGHTS, useViewPreferences } from '../../../ui/view-preferences.ts';
import { VirtualList } from '../../../ui/virtual-list.tsx';
import { parseChoice } from '../search-params.ts';
import { operationStrings } from '../strings.ts';
import { CALL_OUTCOMES, type TrailView } from './address.ts';
import { CallDialog } from './call-dialog.tsx';
import { type McpCallFactsFragment, McpCallsDocument } from './generated.ts';
import { OutcomeBadge } from './outcome-badge.tsx';

export function Trail({ agent, tools }: { agent: string; tools: string[] }) {
  const view = useSearch({ from: '/admin/agents/$id' });
  const navigate = useNavigate({ from: '/admin/agents/$id' });
  const { density } = useViewPreferences();
  const [active, setActive] = useState(0);
  const { total, refusal, row, look, reload } = useRows(
    McpCallsDocument,
    { agent, q: view.q, tool: view.tool, outcome: view.outcome && [view.outcome] },
    ({ mcpCalls }) => mcpCalls,
  );
  useReloadOnChange('svc.mcp.log', reload);
  const show = (changes: TrailView) => {
    if (!('call' in changes)) setActive(0);
    void navigate({ search: (old) => ({ ...old, ...changes }) });
  };
  const open = (index: number) => {
    setActive(index);
    const call = row(index);
    if (call) show({ call: call.id });
  };
  const isFiltered = [view.q, view.tool, view.outcome].some((item) => item !== undefined);
  return (
    <section className="agent-trail" aria-labelledby="trail-title">
      <header>
        <h2 id="trail-title">{operationStrings.trail}</h2>
        <span className="quiet small" role="status">
          {total === null ? shellStrings.loading : formatCount(total, operationStrings.callCount)}
        </span>
      </header>
      <div className="agent-filters">
        <SearchField
          label={operationStrings.search}
          hint={operationStrings.trailSearchHint}
          value={view.q}
          onSearch={(q) => show({ q })}
        />
        <Select
          label={operationStrings.tool}
          value={view.tool ?? ''}
          options={[
            ['', operationStrings.all],
            ...[...new Set([...tools, ...(view.tool ? [view.tool] : [])])].map(
              (item) => [item, item] as const,
            ),
          ]}
          onChange={({ target }) => show({ tool: target.value || undefined })}
        />
        <Select
          label={operationStrings.result}
          value={view.outcome ?? ''}
          options={[
            ['', operationStrings.all],
            ...CALL_OUTCOMES.map(
              (callOutcome) => [callOutcome, operationStrings.outcomes[callOutcome]] as const,
            ),
          ]}
          onChange={({ target }) => show({ outcome: parseChoice(CALL_OUTCOMES, target.value) })}
        />
      </div>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {!refusal && total === 0 && (
        <EmptyState title={isFiltered ? operationStrings.noMatchingCalls : operationStrings.noCalls}>
          {isFiltered && (
            <Button onClick={() => show({ q: undefined, tool: undefined, outcome: undefined })}>
              {operationStrings.showAll}
            </Button>
          )}
        </EmptyState>
      )}
      {!refusal && total !== null && total > 0 && (
        <div className="card">
          <VirtualList
            label={operationStrings.trail}
            count={total}
            rowHeight={ROW_HEIGHTS[density]}
            active={active}
            selected={-1}
            onActive={setActive}
            onOpen={open}
            onRange={look}
            renderRow={(index) => {
              const call = row(index);
              return call && <CallRow call={call} />;
            }}
          />
        </div>
      )}
      {view.call && <CallDialog id={view.call} agent={agent} onClose={() => show({ call: undefined })} />}
    </section>
  );
}

const CallRow = ({ call }: { call: McpCallFactsFragment }) => (
  <div className="op-row agent-call-row">
    <OutcomeBadge outcome={call.outcome} success={call.success} />
    <code>{call.tool}</code>
    <span className="agent-call-about quiet">
      {[call.modelName, call.recordCount > 0 && formatCount(call.recordCount, operationStrings.recordCount)]
        .filter(Boolean)
        .join(' · ')}
    </span>
    <time className="quiet small" dateTime={call.createdAt} title={formatInstant(call.createdAt)}>
      {formatWhen(call.createdAt)}
    </time>
  </div>
);
