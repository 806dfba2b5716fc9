import './agents.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useLiveRows } from '../../../graphql/use-rows.ts';
import { formatCount } from '../../../i18n/format.ts';
import { RowList } from '../../../shell/rows/row-list.tsx';
import { Screen } from '../../../shell/screen.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Select } from '../../../ui/form/field.tsx';
import { parseChoice } from '../../../ui/input/search-params.ts';
import { Timestamp } from '../../../ui/layout/timestamp.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { operationStrings } from '../strings.ts';
import { getHeldActionStates, HELD_ACTION_FILTERS, type HeldActionsView } from './address.ts';
import { type HeldActionFactsFragment, HeldActionsDocument } from './generated.ts';
import { HeldActionPanel } from './held-action.tsx';
import { HELD_TONES } from './tones.ts';

export function HeldActions() {
  const view = useSearch({ from: '/admin/agents/held' });
  const navigate = useNavigate({ from: '/admin/agents/held' });
  const isOpen = view.id !== undefined;
  const show = (changes: HeldActionsView) =>
    void navigate({
      search: (old) => ({ ...old, ...changes }),
      replace: isOpen && changes.id !== undefined,
    });
  return (
    <Screen title={operationStrings.heldActions} isFull>
      <div className={isOpen ? 'split open' : 'split'}>
        <div className="split-list">
          <div className="list-filters">
            <Select
              label={operationStrings.status}
              value={view.state ?? 'waiting'}
              options={HELD_ACTION_FILTERS.map(
                (heldActionFilter) =>
                  [heldActionFilter, operationStrings.heldFilters[heldActionFilter]] as const,
              )}
              onChange={({ target }) =>
                show({ state: parseChoice(HELD_ACTION_FILTERS, target.value), id: undefined })
              }
            />
          </div>
          <HeldActionList view={view} show={show} />
        </div>
        {view.id && <HeldActionPanel key={view.id} id={view.id} onClose={() => show({ id: undefined })} />}
      </div>
    </Screen>
  );
}

function HeldActionList({ view, show }: { view: HeldActionsView; show(changes: HeldActionsView): void }) {
  const variables = { states: getHeldActionStates(view) };
  const rows = useLiveRows(
    HeldActionsDocument,
    variables,
    ({ heldActions }) => heldActions,
    'svc.agent.held',
  );
  return (
    <RowList
      label={operationStrings.heldActions}
      variables={variables}
      rows={rows}
      openId={view.id}
      onOpen={({ id }) => show({ id })}
      keys={operationStrings.keys}
      countText={(total) => formatCount(total, operationStrings.actionCount)}
      none={
        <EmptyState
          title={operationStrings.noHeldActions[view.state ?? 'waiting']}
          text={operationStrings.noHeldActionsText}
        >
          {view.state !== 'all' && (
            <Button onClick={() => show({ state: 'all' })}>{operationStrings.showAll}</Button>
          )}
        </EmptyState>
      }
      renderRow={(action) => <HeldActionRow action={action} />}
    />
  );
}

const HeldActionRow = ({ action }: { action: HeldActionFactsFragment }) => (
  <div className="list-row held-row">
    <StatusBadge tone={HELD_TONES[action.state]}>{operationStrings.heldStates[action.state]}</StatusBadge>
    <span className="held-what">{action.summary ?? action.title}</span>
    <span className="held-who quiet">
      {action.agent?.name || operationStrings.unnamedProgram} · {action.user?.login}
    </span>
    <Timestamp at={action.createdAt} />
  </div>
);
