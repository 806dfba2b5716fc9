import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { runMutation } from '../graphql/client.ts';
import { DialogButtons } from '../shell/dialogs/dialog-buttons.tsx';
import { useFormAction } from '../shell/use-action.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox, Field } from '../ui/field.tsx';
import { FormError } from '../ui/form-error.tsx';
import { SitePageCreateDocument } from './generated.ts';
import type { Site } from './site-screen.tsx';
import { siteStrings } from './strings.ts';
import { UrlField } from './url-field.tsx';

export function CreateSitePageDialog({ site, onClose }: { site: Site; onClose(): void }) {
  const navigate = useNavigate();
  const { isBusy, getFieldError, getFormError, act } = useFormAction();
  const create = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const values = {
      site: site.id,
      name: String(form.get('name')).trim(),
      url: String(form.get('url')).trim() || null,
      addMenu: form.get('addMenu') !== null,
    };
    void act(async () => {
      const { websitePageCreate } = await runMutation(SitePageCreateDocument, values);
      await navigate({
        to: '/website/pages/$id',
        params: { id: websitePageCreate!.id },
        search: { site: site.id },
      });
    });
  };
  return (
    <Dialog title={siteStrings.create} onClose={onClose}>
      <p>{siteStrings.createText}</p>
      <form className="site-form" onSubmit={create}>
        <Field
          name="name"
          label={siteStrings.name}
          required
          autoComplete="off"
          error={getFieldError('name')}
        />
        <UrlField
          name="url"
          label={siteStrings.url}
          hint={siteStrings.newUrlHint}
          autoComplete="off"
          error={getFieldError('url')}
        />
        <Checkbox name="addMenu" label={siteStrings.addMenu} defaultChecked />
        <FormError message={getFormError(['name', 'url'])} />
        <DialogButtons onClose={onClose}>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {siteStrings.create}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
