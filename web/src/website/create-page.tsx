import { useNavigate } from '@tanstack/react-router';
import { runMutation } from '../graphql/client.ts';
import { FormDialog } from '../shell/dialogs/form-dialog.tsx';
import { Checkbox, Field } from '../ui/form/field.tsx';
import { getText } from '../ui/form/form.tsx';
import { SitePageCreateDocument } from './generated.ts';
import type { Site } from './site-screen.tsx';
import { siteStrings } from './strings.ts';
import { UrlField } from './url-field.tsx';

export function CreateSitePageDialog({ site, onClose }: { site: Site; onClose(): void }) {
  const navigate = useNavigate();
  const create = async (form: FormData) => {
    const { websitePageCreate } = await runMutation(SitePageCreateDocument, {
      site: site.id,
      name: getText(form, 'name'),
      url: getText(form, 'url') || null,
      addMenu: form.has('addMenu'),
    });
    await navigate({
      to: '/website/pages/$id',
      params: { id: websitePageCreate!.id },
      search: { site: site.id },
    });
  };
  return (
    <FormDialog title={siteStrings.create} onSubmit={create} onClose={onClose}>
      <p>{siteStrings.createText}</p>
      <Field name="name" label={siteStrings.name} required />
      <UrlField name="url" label={siteStrings.url} hint={siteStrings.newUrlHint} />
      <Checkbox name="addMenu" label={siteStrings.addMenu} defaultChecked />
    </FormDialog>
  );
}
