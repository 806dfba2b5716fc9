import './menus.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { runMutation } from '../graphql/client.ts';
import { ConfirmDialog } from '../shell/action-buttons.tsx';
import { LoadStatus } from '../shell/loading.tsx';
import { runWithToast } from '../shell/run-with-toast.ts';
import { useAction } from '../shell/use-action.ts';
import { useLiveQuery } from '../shell/use-graphql-query.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import type { IconName } from '../ui/icon.tsx';
import {
  SiteMenuDeleteDocument,
  SiteMenusDocument,
  type SiteMenusQuery,
  SiteMenuUpdateDocument,
} from './generated.ts';
import { SiteMenuForm } from './menu-form.tsx';
import { MENU_MOVES, type MenuMove, moveMenuEntry, sortMenu } from './menu-tree.ts';
import { type Site, SiteScreen } from './site-screen.tsx';
import { siteStrings } from './strings.ts';

type Entry = SiteMenusQuery['websiteOutline']['menus'][number];

type EditedEntry = Entry | 'new' | undefined;

export function SiteMenus() {
  const { site } = useSearch({ from: '/website/menus' });
  const navigate = useNavigate({ from: '/website/menus' });
  const [form, setForm] = useState<EditedEntry>();
  return (
    <SiteScreen
      title={siteStrings.menu}
      at={site}
      onSite={(id) => void navigate({ search: { site: id } })}
      actions={() => <AddMenuButton onClick={() => setForm('new')} />}
    >
      {(site) => <MenuTree site={site} form={form} setForm={setForm} />}
    </SiteScreen>
  );
}

const AddMenuButton = ({ onClick }: { onClick(): void }) => (
  <Button look="primary" icon="plus" onClick={onClick}>
    {siteStrings.menuAdd}
  </Button>
);

interface MenuTreeProps {
  site: Site;
  form: EditedEntry;
  setForm(form: EditedEntry): void;
}

function MenuTree({ site, form, setForm }: MenuTreeProps) {
  const { data, refusal, reload } = useLiveQuery(SiteMenusDocument, { site: site.id }, 'website.menu');
  const [deleted, setDeleted] = useState<Entry>();
  const { list, isBusy, move } = useMenuMoves(data?.websiteOutline.menus, reload);
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const { menus, pages } = data.websiteOutline;
  const entries = sortMenu(menus);
  const remove = async (entry: Entry) => {
    await runWithToast(SiteMenuDeleteDocument, { id: entry.id }, siteStrings.deleted(entry.name));
    reload();
  };
  return (
    <div className="stack site-part">
      <p className="quiet">{siteStrings.menuText}</p>
      {entries.length === 0 && (
        <EmptyState title={siteStrings.menuNone} text={siteStrings.menuNoneText}>
          <AddMenuButton onClick={() => setForm('new')} />
        </EmptyState>
      )}
      <ul ref={list} className="card-list menu-rows" aria-busy={isBusy || undefined}>
        {entries.map((entry) => (
          <MenuRow
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
        <ConfirmDialog
          title={siteStrings.deleteTitle(deleted.name)}
          text={siteStrings.menuDeleteText}
          yes={siteStrings.delete}
          onYes={() => remove(deleted)}
          onClose={() => setDeleted(undefined)}
        />
      )}
    </div>
  );
}

/** Moves menu entries. A moved entry keeps the focus. */
function useMenuMoves(menus: readonly Entry[] | undefined, reload: () => void) {
  const { isBusy, act } = useAction();
  const list = useRef<HTMLUListElement>(null);
  const pendingFocus = useRef<{ id: string; move: MenuMove | null } | undefined>(undefined);
  useEffect(() => {
    // A moved row is rendered elsewhere. Restores the focus to the pressed button, or to the entry's name if the button
    // is disabled.
    if (!menus || isBusy || !pendingFocus.current) return;
    const { id, move } = pendingFocus.current;
    pendingFocus.current = undefined;
    const row = list.current?.querySelector(`[data-menu="${id}"]`);
    const button = move && row?.querySelector<HTMLElement>(`[data-move="${move}"]:not(:disabled)`);
    (button || row?.querySelector<HTMLElement>('.menu-name'))?.focus();
  }, [menus, isBusy]);
  const move = (entry: Entry, to: MenuMove, isKey: boolean) => {
    const changes = moveMenuEntry(menus ?? [], entry.id, to);
    if (changes.length === 0 || isBusy) return;
    pendingFocus.current = { id: entry.id, move: isKey ? null : to };
    void act(async () => {
      for (const { id, parentId, sequence } of changes)
        await runMutation(SiteMenuUpdateDocument, { id, input: { parentId, sequence } });
      reload();
    });
  };
  return { list, isBusy, move };
}

interface MenuRowProps {
  entry: Entry;
  places: readonly Entry[];
  onMove(to: MenuMove, isKey: boolean): void;
  onChange(): void;
  onDelete(): void;
}

function MenuRow({ entry, places, onMove, onChange, onDelete }: MenuRowProps) {
  const { id, name, url, parentId, newWindow } = entry;
  const onKeyDown = (event: KeyboardEvent) => {
    const to = event.altKey && getMove(event.key);
    if (!to) return;
    event.preventDefault();
    onMove(to, true);
  };
  return (
    <li className={parentId === null ? 'card' : 'card menu-below'} data-menu={id} onKeyDown={onKeyDown}>
      <div>
        <button type="button" className="menu-name" onClick={onChange} title={siteStrings.editNamed(name)}>
          {name}
        </button>
        <p className="site-url" dir="ltr">
          {url}
          {newWindow && ` (${siteStrings.opensWindow})`}
        </p>
      </div>
      <div className="buttons">
        {MENU_MOVES.map((move) => (
          <IconButton
            key={move}
            data-move={move}
            icon={ICONS[move]}
            label={siteStrings.moves[move](name)}
            disabled={moveMenuEntry(places, id, move).length === 0}
            onClick={() => onMove(move, false)}
          />
        ))}
        <IconButton icon="trash" label={siteStrings.deleteNamed(name)} onClick={onDelete} />
      </div>
    </li>
  );
}

const ICONS: Record<MenuMove, IconName> = { up: 'up', down: 'down', in: 'indent', out: 'outdent' };

/** Maps arrow keys to moves. On right-to-left pages, left and right are swapped. */
function getMove(key: string): MenuMove | undefined {
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
