import { runMutation } from '../graphql/client.ts';
import { FormDialog } from '../shell/dialogs/form-dialog.tsx';
import { Checkbox, Select } from '../ui/form/field.tsx';
import { getText } from '../ui/form/form.tsx';
import { showToast } from '../ui/toasts.tsx';
import { SiteRedirectAddDocument, type SiteRedirectsQuery, SiteRedirectUpdateDocument } from './generated.ts';
import type { Site } from './site-screen.tsx';
import { siteStrings } from './strings.ts';
import { UrlField } from './url-field.tsx';

export type Redirect = SiteRedirectsQuery['websiteRewrites']['nodes'][number];

interface SiteRedirectFormProps {
  site: Site;
  /** Redirect to edit. If omitted, the form adds one. */
  redirect: Redirect | undefined;
  onSaved(): void;
  onClose(): void;
}

export function SiteRedirectForm({ site, redirect, onSaved, onClose }: SiteRedirectFormProps) {
  const save = async (form: FormData, expectedVersion?: number) => {
    const values = { urlFrom: getText(form, 'urlFrom'), urlTo: getText(form, 'urlTo') };
    const isTemporary = form.get('redirectType') === 'MOVED_TEMPORARILY';
    if (redirect) {
      const active = form.has('active');
      const redirectType = isTemporary ? 'MOVED_TEMPORARILY' : 'MOVED_PERMANENTLY';
      const input = { ...values, redirectType, active } as const;
      await runMutation(SiteRedirectUpdateDocument, { id: redirect.id, input, expectedVersion });
    } else
      await runMutation(SiteRedirectAddDocument, {
        site: site.id,
        ...values,
        redirectType: isTemporary ? '302' : '301',
      });
    showToast(siteStrings.saved);
    onSaved();
  };
  return (
    <FormDialog
      version={redirect?.version}
      title={redirect ? siteStrings.redirectChange(redirect.urlFrom) : siteStrings.redirectAdd}
      submit={redirect && siteStrings.save}
      onSubmit={save}
      onClose={onClose}
    >
      <UrlField
        name="urlFrom"
        label={siteStrings.from}
        hint={siteStrings.urlHint}
        defaultValue={redirect?.urlFrom}
        required
      />
      <UrlField
        name="urlTo"
        label={siteStrings.to}
        hint={siteStrings.toHint}
        defaultValue={redirect?.urlTo}
        required
      />
      <Select
        name="redirectType"
        label={siteStrings.type}
        defaultValue={redirect?.redirectType ?? 'MOVED_PERMANENTLY'}
        options={Object.entries(siteStrings.types)}
      />
      {redirect && <Checkbox name="active" label={siteStrings.isActive} defaultChecked={redirect.active} />}
    </FormDialog>
  );
}
