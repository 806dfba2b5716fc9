import './profile.css';
import { useState } from 'react';
import { runMutation } from '../graphql/client.ts';
import { ActionForm } from '../shell/action-form.tsx';
import { LoadError, Screen } from '../shell/screen.tsx';
import { shellStrings } from '../shell/strings.ts';
import { UnsavedGuard } from '../shell/unsaved/unsaved-guard.tsx';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { useViewer } from '../shell/viewer.ts';
import { Field, Select, TextArea } from '../ui/form/field.tsx';
import { getText, isEditedSince } from '../ui/form/form.tsx';
import { showToast } from '../ui/toasts.tsx';
import { addCurrentOption } from './add-current-option.ts';
import { MeDocument, type MeQuery, MeSaveDocument } from './generated.ts';
import { Photo } from './photo.tsx';
import { htmlToText, textToHtml } from './signature.ts';
import { profileStrings } from './strings.ts';

export function Me() {
  const { viewer } = useViewer();
  const { data, refusal, reload } = useGraphqlQuery(MeDocument, { id: viewer.userId! });
  return (
    <Screen title={shellStrings.pages.me}>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {data?.user && (
        <div className="profile">
          <Photo user={data.user} />
          <ProfileForm key={data.user.id} user={data.user} />
        </div>
      )}
    </Screen>
  );
}

const NOTIFICATION_TYPES = ['EMAIL', 'INBOX'] as const;
const ZONES = Intl.supportedValuesOf('timeZone').map((zone) => [zone, zone.replaceAll('_', ' ')] as const);

type User = NonNullable<MeQuery['user']>;

function ProfileForm({ user }: { user: User }) {
  const [isDirty, setIsDirty] = useState(false);
  const signature = htmlToText(user.signature ?? '');
  const save = async (form: FormData, _version: number | undefined, element: HTMLFormElement) => {
    await runMutation(MeSaveDocument, { id: user.id, values: parseProfile(form, signature) });
    setIsDirty(isEditedSince(form, element));
    showToast(profileStrings.saved);
  };
  const bind = (name: 'name' | 'email' | 'phone' | 'tz' | 'signature') => ({
    name,
    defaultValue: (name === 'signature' ? signature : user[name]) ?? '',
  });
  return (
    <ActionForm
      className="card"
      submit={profileStrings.save}
      onSubmit={save}
      onChange={() => setIsDirty(true)}
    >
      <div className="pair">
        <Field {...bind('name')} label={profileStrings.name} autoComplete="name" required />
        <Field label={profileStrings.login} value={user.login} readOnly hint={profileStrings.loginHint} />
        <Field {...bind('email')} type="email" label={profileStrings.email} autoComplete="email" />
        <Field {...bind('phone')} type="tel" label={profileStrings.phone} autoComplete="tel" />
        <Select {...bind('tz')} label={profileStrings.timeZone} options={addCurrentOption(ZONES, user.tz)} />
      </div>
      <Select
        name="inform"
        label={profileStrings.notificationSetting}
        defaultValue={user.notificationType}
        options={NOTIFICATION_TYPES.map((notificationType) => [
          notificationType,
          profileStrings.notificationOptions[notificationType],
        ])}
      />
      <TextArea {...bind('signature')} label={profileStrings.signature} hint={profileStrings.signatureHint} />
      <UnsavedGuard isDirty={isDirty} />
    </ActionForm>
  );
}

/** @param signature the current signature as text; its formatting is kept unless the text changes */
function parseProfile(form: FormData, signature: string) {
  return {
    name: getText(form, 'name'),
    email: getText(form, 'email') || false,
    phone: getText(form, 'phone') || false,
    tz: getText(form, 'tz') || false,
    notification_type: getText(form, 'inform').toLowerCase(),
    ...(getText(form, 'signature') !== signature && { signature: textToHtml(getText(form, 'signature')) }),
  };
}
