import { useId } from 'react';
import { runMutation } from '../graphql/client.ts';
import { FormDialog } from '../shell/dialogs/form-dialog.tsx';
import { Checkbox, Field, Select } from '../ui/form/field.tsx';
import { getText } from '../ui/form/form.tsx';
import { showToast } from '../ui/toasts.tsx';
import { SiteMenuAddDocument, type SiteMenusQuery, SiteMenuUpdateDocument } from './generated.ts';
import type { Site } from './site-screen.tsx';
import { siteStrings } from './strings.ts';
import { UrlField } from './url-field.tsx';

type Outline = SiteMenusQuery['websiteOutline'];

interface SiteMenuFormProps {
  site: Site;
  /** Entry to edit. If omitted, the form adds one. */
  entry: Outline['menus'][number] | undefined;
  menus: Outline['menus'];
  pages: Outline['pages'];
  onSaved(): void;
  onClose(): void;
}

export function SiteMenuForm({ site, entry, menus, pages, onSaved, onClose }: SiteMenuFormProps) {
  const addresses = useId();
  const save = async (form: FormData, expectedVersion?: number) => {
    const url = getText(form, 'url');
    const values = { name: getText(form, 'name'), url, parentId: getText(form, 'parentId') || null };
    const newWindow = form.has('newWindow');
    if (entry) {
      // A menu entry for a page follows the page when its URL changes.
      const pageId = pages.find((page) => page.url === url)?.id ?? null;
      const input = { ...values, pageId, newWindow };
      await runMutation(SiteMenuUpdateDocument, { id: entry.id, input, expectedVersion });
    } else await runMutation(SiteMenuAddDocument, { site: site.id, ...values, newWindow });
    showToast(siteStrings.saved);
    onSaved();
  };
  const hasChildren = menus.some(({ parentId }) => parentId === entry?.id);
  const parents = menus.filter(({ id, parentId }) => parentId === null && id !== entry?.id);
  return (
    <FormDialog
      version={entry?.version}
      title={entry ? siteStrings.editNamed(entry.name) : siteStrings.menuAdd}
      submit={entry && siteStrings.save}
      onSubmit={save}
      onClose={onClose}
    >
      <Field name="name" label={siteStrings.menuName} defaultValue={entry?.name} required />
      <UrlField
        name="url"
        label={siteStrings.menuUrl}
        hint={siteStrings.menuUrlHint}
        defaultValue={entry?.url}
        required
        list={addresses}
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
          label={siteStrings.menuParent}
          defaultValue={entry?.parentId ?? ''}
          options={[['', siteStrings.menuTop], ...parents.map(({ id, name }) => [id, name] as const)]}
        />
      )}
      <Checkbox name="newWindow" label={siteStrings.newWindow} defaultChecked={entry?.newWindow ?? false} />
    </FormDialog>
  );
}
