import './menus.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { change } from '../graphql/client.ts';
import { useFresh } from '../graphql/live.ts';
import { useAct } from '../shell/act.ts';
import { useAnswer } from '../shell/answer.ts';
import { Failed } from '../shell/screen.tsx';
import { shellWords } from '../shell/words.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Empty } from '../ui/empty.tsx';
import type { IconName } from '../ui/icon.tsx';
import { say } from '../ui/toasts.tsx';
import {
  SiteMenuDeleteDocument,
  SiteMenusDocument,
  type SiteMenusQuery,
  SiteMenuUpdateDocument,
} from './generated.ts';
import { SiteMenuForm } from './menu-form.tsx';
import { MENU_MOVES, type MenuMove, menuMoved, menuOrder } from './menu-tree.ts';
import { type Site, SiteScreen } from './site-screen.tsx';
import { siteWords } from './words.ts';

type Entry = SiteMenusQuery['websiteOutline']['menus'][number];

/** The entry that is being changed. */
type MenuForm = Entry | 'new' | undefined;

/** The menu of a website: its entries, on two levels. */
export function SiteMenus() {
  const { site } = useSearch({ from: '/website/menus' });
  const navigate = useNavigate({ from: '/website/menus' });
  const [form, setForm] = useState<MenuForm>();
  return (
    <SiteScreen
      title={siteWords.menu}
      needs="websiteMenuAdd"
      at={site}
      onSite={(id) => void navigate({ search: { site: id } })}
      actions={() => <Add onClick={() => setForm('new')} />}
    >
      {(shown) => <Tree site={shown} form={form} setForm={setForm} />}
    </SiteScreen>
  );
}

const Add = ({ onClick }: { onClick(): void }) => (
  <Button look="primary" icon="plus" onClick={onClick}>
    {siteWords.menuAdd}
  </Button>
);

interface TreeProps {
  site: Site;
  form: MenuForm;
  setForm(form: MenuForm): void;
}

function Tree({ site, form, setForm }: TreeProps) {
  const { data, refusal, reload } = useAnswer(SiteMenusDocument, { site: site.id });
  const [deleted, setDeleted] = useState<Entry>();
  const { isBusy, act } = useAct();
  const list = useRef<HTMLUListElement>(null);
  const wanted = useRef<{ id: string; move: MenuMove | null } | undefined>(undefined);
  useFresh('website.menu', reload);
  useEffect(() => {
    // A row that has moved is drawn elsewhere: what was pressed keeps the focus there, or else its name has it.
    if (!data || isBusy || !wanted.current) return;
    const { id, move } = wanted.current;
    wanted.current = undefined;
    const row = list.current?.querySelector(`[data-menu="${id}"]`);
    const button = move && row?.querySelector<HTMLElement>(`[data-move="${move}"]:not(:disabled)`);
    (button || row?.querySelector<HTMLElement>('.menu-name'))?.focus();
  }, [data, isBusy]);
  if (refusal) return <Failed refusal={refusal} onAgain={reload} />;
  if (!data) return <p role="status">{shellWords.loading}</p>;
  const { menus, pages } = data.websiteOutline;
  const entries = menuOrder(menus);
  const move = (entry: Entry, to: MenuMove, isKey: boolean) => {
    const changes = menuMoved(menus, entry.id, to);
    if (changes.length === 0 || isBusy) return;
    wanted.current = { id: entry.id, move: isKey ? null : to };
    void act(async () => {
      for (const { id, parentId, sequence } of changes)
        await change(SiteMenuUpdateDocument, { id, parentId, sequence });
      reload();
    });
  };
  const remove = (entry: Entry) =>
    act(async () => {
      await change(SiteMenuDeleteDocument, { id: entry.id });
      say(siteWords.deleted(entry.name));
      reload();
    });
  return (
    <div className="site-part">
      <p className="quiet">{siteWords.menuText}</p>
      {entries.length === 0 && (
        <Empty title={siteWords.menuNone}>
          <p>{siteWords.menuNoneText}</p>
          <Add onClick={() => setForm('new')} />
        </Empty>
      )}
      <ul ref={list} className="site-rows menu-rows" aria-busy={isBusy || undefined}>
        {entries.map((entry) => (
          <Row
            key={entry.id}
            entry={entry}
            places={menus}
            onMove={(to, isKey) => move(entry, to, isKey)}
            onChange={() => setForm(entry)}
            onDelete={() => setDeleted(entry)}
          />
        ))}
      </ul>
      {form && (
        <SiteMenuForm
          site={site}
          entry={form === 'new' ? undefined : form}
          menus={menus}
          pages={pages}
          onSaved={reload}
          onClose={() => setForm(undefined)}
        />
      )}
      {deleted && (
        <Confirm
          title={siteWords.deleteOf(deleted.name)}
          yes={siteWords.delete}
          no={shellWords.close}
          onYes={() => remove(deleted)}
          onClose={() => setDeleted(undefined)}
        >
          <p>{siteWords.menuDeleteText}</p>
        </Confirm>
      )}
    </div>
  );
}

interface RowProps {
  entry: Entry;
  places: readonly Entry[];
  onMove(to: MenuMove, isKey: boolean): void;
  onChange(): void;
  onDelete(): void;
}

function Row({ entry, places, onMove, onChange, onDelete }: RowProps) {
  const { id, name, url, parentId, newWindow } = entry;
  const onKeyDown = (event: KeyboardEvent) => {
    const to = event.altKey && moveOf(event.key);
    if (!to) return;
    event.preventDefault();
    onMove(to, true);
  };
  return (
    <li className={parentId === null ? 'card' : 'card menu-below'} data-menu={id} onKeyDown={onKeyDown}>
      <div>
        <button type="button" className="menu-name" onClick={onChange} title={siteWords.menuChange(name)}>
          {name}
        </button>
        <p className="site-url" dir="ltr">
          {url}
          {newWindow && ` (${siteWords.opensWindow})`}
        </p>
      </div>
      <div className="buttons">
        {MENU_MOVES.map((move) => (
          <IconButton
            key={move}
            data-move={move}
            icon={ICONS[move]}
            label={siteWords.moves[move](name)}
            disabled={menuMoved(places, id, move).length === 0}
            onClick={() => onMove(move, false)}
          />
        ))}
        <IconButton icon="trash" label={siteWords.deleteEntry(name)} onClick={onDelete} />
      </div>
    </li>
  );
}

const ICONS: Record<MenuMove, IconName> = { up: 'up', down: 'down', in: 'indent', out: 'outdent' };

/** Right leads in, and left out, as the page runs. */
function moveOf(key: string): MenuMove | undefined {
  const isRtl = document.documentElement.dir === 'rtl';
  const [inward, outward] = isRtl ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
  const moves: Record<string, MenuMove> = {
    ArrowUp: 'up',
    ArrowDown: 'down',
    [inward!]: 'in',
    [outward!]: 'out',
  };
  return moves[key];
}
