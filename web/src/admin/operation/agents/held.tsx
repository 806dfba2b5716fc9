import '../operation.css';
import './agents.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useFresh } from '../../../graphql/live.ts';
import { useRows } from '../../../graphql/window.ts';
import { counted, formatInstant, formatWhen } from '../../../i18n/format.ts';
import { useRowKeys } from '../../../shell/keys/row-keys.ts';
import { Failed, Screen } from '../../../shell/screen.tsx';
import { shellWords } from '../../../shell/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Choice } from '../../../ui/field.tsx';
import { ROW_HEIGHTS, useLook } from '../../../ui/look.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { VirtualList } from '../../../ui/virtual-list.tsx';
import { givenName } from '../given.ts';
import { operationWords } from '../words.ts';
import { HELD_SHOWN, type HeldView, heldStates } from './address.ts';
import { type HeldActionFactsFragment, HeldActionsDocument } from './generated.ts';
import { HeldActionShown } from './held-action.tsx';
import { HELD_TONES } from './tones.ts';

/** What agents asked for and a person is to decide about. */
export function HeldActions() {
  const view = useSearch({ from: '/admin/agents/held' });
  const navigate = useNavigate({ from: '/admin/agents/held' });
  const isOpen = view.id !== undefined;
  const show = (changes: HeldView) =>
    void navigate({
      search: (old) => ({ ...old, ...changes }),
      replace: isOpen && changes.id !== undefined,
    });
  return (
    <Screen title={operationWords.held} needs="featureSet" isFull>
      <div className={isOpen ? 'op-split open' : 'op-split'}>
        <div className="op-list">
          <div className="op-filters">
            <Choice
              label={operationWords.state}
              value={view.state ?? 'waiting'}
              options={HELD_SHOWN.map((each) => [each, operationWords.heldShown[each]] as const)}
              onChange={({ target }) => show({ state: givenName(HELD_SHOWN, target.value), id: undefined })}
            />
          </div>
          <List view={view} show={show} />
        </div>
        {view.id && <HeldActionShown key={view.id} id={view.id} onClose={() => show({ id: undefined })} />}
      </div>
    </Screen>
  );
}

function List({ view, show }: { view: HeldView; show(changes: HeldView): void }) {
  const { density } = useLook();
  const asked = { states: heldStates(view) };
  const { total, refusal, row, look, reload } = useRows(
    HeldActionsDocument,
    asked,
    ({ heldActions }) => heldActions,
  );
  useFresh('svc.agent.held', reload);
  const { active, setActive, openRow } = useRowKeys({
    asked,
    total,
    isOpen: view.id !== undefined,
    open: (index) => {
      const action = row(index);
      if (action) show({ id: action.id });
    },
    words: operationWords.keys,
  });
  if (refusal) return <Failed refusal={refusal} onAgain={reload} />;
  return (
    <>
      <p className="op-count quiet small" role="status">
        {total === null ? shellWords.loading : counted(total, operationWords.actions)}
      </p>
      {total === 0 ? (
        <Empty title={operationWords.noHeld[view.state ?? 'waiting']}>
          <p>{operationWords.noHeldText}</p>
          {view.state !== 'all' && (
            <Button onClick={() => show({ state: 'all' })}>{operationWords.showAll}</Button>
          )}
        </Empty>
      ) : (
        <VirtualList
          label={operationWords.held}
          count={total ?? 0}
          rowHeight={ROW_HEIGHTS[density]}
          active={active}
          selected={row(active)?.id === view.id ? active : -1}
          onActive={setActive}
          onOpen={openRow}
          onRange={look}
          renderRow={(index) => {
            const action = row(index);
            return action && <HeldRow action={action} />;
          }}
        />
      )}
    </>
  );
}

const HeldRow = ({ action }: { action: HeldActionFactsFragment }) => (
  <div className="op-row held-row">
    <StatusBadge tone={HELD_TONES[action.state]}>{operationWords.heldStates[action.state]}</StatusBadge>
    <span>{action.title}</span>
    <span className="held-who quiet">
      {action.agent?.clientName || operationWords.unnamed} · {action.user?.login}
    </span>
    <time className="quiet small" dateTime={action.createdAt} title={formatInstant(action.createdAt)}>
      {formatWhen(action.createdAt)}
    </time>
  </div>
);
