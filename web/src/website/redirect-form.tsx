import { runMutation } from '../graphql/client.ts';
import { FormDialog } from '../shell/dialogs/form-dialog.tsx';
import { useFormAction } from '../shell/use-action.ts';
import { Checkbox, Select } from '../ui/field.tsx';
import { getText } from '../ui/form/form.tsx';
import { FormError } from '../ui/form-error.tsx';
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
  const { isBusy, expectedVersion, getFieldError, getFormError, act } = useFormAction(redirect?.version);
  const save = (form: FormData) =>
    act(async () => {
      const values = { urlFrom: getText(form, 'urlFrom'), urlTo: getText(form, 'urlTo') };
      const redirectType = form.get('redirectType') === '_302' ? '_302' : '_301';
      if (redirect) {
        const active = form.has('active');
        const changes = { ...values, redirectType, active } as const;
        await runMutation(SiteRedirectUpdateDocument, { id: redirect.id, ...changes, expectedVersion });
      } else
        await runMutation(SiteRedirectAddDocument, {
          site: site.id,
          ...values,
          redirectType: redirectType.slice(1),
        });
      showToast(siteStrings.saved);
      onSaved();
      onClose();
    });
  return (
    <FormDialog
      title={redirect ? siteStrings.redirectChange(redirect.urlFrom) : siteStrings.redirectAdd}
      submit={redirect && siteStrings.save}
      isBusy={isBusy}
      onSubmit={save}
      onClose={onClose}
    >
      <UrlField
        name="urlFrom"
        label={siteStrings.from}
        hint={siteStrings.urlHint}
        defaultValue={redirect?.urlFrom}
        required
        error={getFieldError('urlFrom')}
      />
      <UrlField
        name="urlTo"
        label={siteStrings.to}
        hint={siteStrings.toHint}
        defaultValue={redirect?.urlTo}
        required
        error={getFieldError('urlTo')}
      />
      <Select
        name="redirectType"
        label={siteStrings.type}
        defaultValue={redirect?.redirectType ?? '_301'}
        options={Object.entries(siteStrings.types)}
      />
      {redirect && <Checkbox name="active" label={siteStrings.isOn} defaultChecked={redirect.active} />}
      <FormError message={getFormError(['urlFrom', 'urlTo'])} />
    </FormDialog>
  );
}
