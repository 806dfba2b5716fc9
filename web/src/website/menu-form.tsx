import { type FormEvent, useId } from 'react';
import { runMutation } from '../graphql/client.ts';
import { useFormAction } from '../shell/use-action.ts';
import { shellWords } from '../shell/words.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox, Field, Select } from '../ui/field.tsx';
import { showToast } from '../ui/toasts.tsx';
import { SiteMenuAddDocument, type SiteMenusQuery, SiteMenuUpdateDocument } from './generated.ts';
import type { Site } from './site-screen.tsx';
import { siteWords } from './words.ts';

type Outline = SiteMenusQuery['websiteOutline'];

interface SiteMenuFormProps {
  site: Site;
  /** The one to change; without it, a new one is added. */
  entry: Outline['menus'][number] | undefined;
  menus: Outline['menus'];
  pages: Outline['pages'];
  onSaved(): void;
  onClose(): void;
}

/** Text and target of an entry of the menu. */
export function SiteMenuForm({ site, entry, menus, pages, onSaved, onClose }: SiteMenuFormProps) {
  const { isBusy, refusal, wrong, act } = useFormAction();
  const addresses = useId();
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const name = String(form.get('name')).trim();
    const url = String(form.get('url')).trim();
    const given = { name, url, parentId: String(form.get('parentId') ?? '') || null };
    const newWindow = form.get('newWindow') !== null;
    void act(async () => {
      if (entry) {
        // An entry that leads to a page follows it when it moves.
        const pageId = pages.find((page) => page.url === url)?.id ?? null;
        await runMutation(SiteMenuUpdateDocument, { id: entry.id, ...given, pageId, newWindow });
      } else await runMutation(SiteMenuAddDocument, { site: site.id, ...given, newWindow });
      showToast(siteWords.saved);
      onSaved();
      onClose();
    });
  };
  const hasChildren = menus.some(({ parentId }) => parentId === entry?.id);
  const parents = menus.filter(({ id, parentId }) => parentId === null && id !== entry?.id);
  return (
    <Dialog title={entry ? siteWords.menuChange(entry.name) : siteWords.menuAdd} onClose={onClose}>
      <form className="site-form" onSubmit={save}>
        <Field
          name="name"
          label={siteWords.menuName}
          defaultValue={entry?.name}
          required
          error={wrong('name')}
        />
        <Field
          name="url"
          label={siteWords.menuUrl}
          hint={siteWords.menuUrlHint}
          defaultValue={entry?.url}
          required
          dir="ltr"
          list={addresses}
          autoCapitalize="none"
          spellCheck={false}
          error={wrong('url')}
        />
        <datalist id={addresses}>
          {pages.map(({ id, url, name }) => (
            <option key={id} value={url}>
              {name}
            </option>
          ))}
        </datalist>
        {!hasChildren && (
          <Select
            name="parentId"
            label={siteWords.menuParent}
            defaultValue={entry?.parentId ?? ''}
            options={[['', siteWords.menuTop], ...parents.map(({ id, name }) => [id, name] as const)]}
            error={wrong('parentId')}
          />
        )}
        <Checkbox name="newWindow" label={siteWords.newWindow} defaultChecked={entry?.newWindow ?? false} />
        {refusal && !['name', 'url', 'parentId'].some(wrong) && (
          <p className="wrong" role="alert">
            {refusal.message}
          </p>
        )}
        <div className="buttons">
          <Button type="submit" look="primary" isBusy={isBusy}>
            {siteWords.save}
          </Button>
          <Button onClick={onClose}>{shellWords.close}</Button>
        </div>
      </form>
    </Dialog>
  );
}
