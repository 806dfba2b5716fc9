import './profile.css';
import { type FormEvent, useState } from 'react';
import { runMutation } from '../graphql/client.ts';
import { LoadError, Screen } from '../shell/screen.tsx';
import { shellStrings } from '../shell/strings.ts';
import { UnsavedGuard } from '../shell/unsaved-guard.tsx';
import { useFormAction } from '../shell/use-action.ts';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { useViewer } from '../shell/viewer.ts';
import { Button } from '../ui/button.tsx';
import { Field, Select, TextArea } from '../ui/field.tsx';
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
    <Screen title={shellStrings.pages.me} needs="userWrite">
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
const ZONES = Intl.supportedValuesOf('timeZone');

function ProfileForm({ user }: { user: NonNullable<MeQuery['user']> }) {
  const [isDirty, setIsDirty] = useState(false);
  const { isBusy, refusal, act, getFieldError } = useFormAction();
  const text = htmlToText(user.signature ?? '');
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const getText = (name: string) => String(form.get(name)).trim();
    const values = {
      name: getText('name'),
      email: getText('email') || false,
      phone: getText('phone') || false,
      tz: getText('tz') || false,
      notification_type: getText('inform').toLowerCase(),
      // A formatted signature retains its formatting unless its text changes.
      ...(getText('signature') !== text && { signature: textToHtml(getText('signature')) }),
    };
    void act(async () => {
      await runMutation(MeSaveDocument, { id: user.id, values });
      setIsDirty(false);
      showToast(profileStrings.saved);
    });
  };
  const FIELDS = ['name', 'email', 'phone', 'tz', 'signature'];
  const isOtherError = refusal && !FIELDS.some((field) => getFieldError(field));
  return (
    <form className="card profile-form" onSubmit={save} onChange={() => setIsDirty(true)}>
      <div className="pair">
        <Field
          name="name"
          label={profileStrings.name}
          defaultValue={user.name ?? ''}
          autoComplete="name"
          required
          error={getFieldError('name')}
        />
        <Field label={profileStrings.login} value={user.login} readOnly hint={profileStrings.loginHint} />
        <Field
          name="email"
          type="email"
          label={profileStrings.email}
          defaultValue={user.email ?? ''}
          autoComplete="email"
          error={getFieldError('email')}
        />
        <Field
          name="phone"
          type="tel"
          label={profileStrings.phone}
          defaultValue={user.phone ?? ''}
          autoComplete="tel"
          error={getFieldError('phone')}
        />
        <Select
          name="tz"
          label={profileStrings.timeZone}
          defaultValue={user.tz ?? ''}
          options={addCurrentOption(
            ZONES.map((zone) => [zone, zone.replaceAll('_', ' ')] as const),
            user.tz,
          )}
          error={getFieldError('tz')}
        />
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
      <TextArea
        name="signature"
        label={profileStrings.signature}
        hint={profileStrings.signatureHint}
        defaultValue={text}
        error={getFieldError('signature')}
      />
      {isOtherError && (
        <p className="about wrong" role="alert">
          {refusal.message}
        </p>
      )}
      <div className="buttons">
        <Button type="submit" look="primary" isBusy={isBusy}>
          {profileStrings.save}
        </Button>
      </div>
      <UnsavedGuard isDirty={isDirty} />
    </form>
  );
}
