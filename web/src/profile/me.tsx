import './profile.css';
import { type FormEvent, useState } from 'react';
import { change } from '../graphql/client.ts';
import { useFormAct } from '../shell/act.ts';
import { useAnswer } from '../shell/answer.ts';
import { Failed, Screen } from '../shell/screen.tsx';
import { Unsaved } from '../shell/unsaved.tsx';
import { useViewer } from '../shell/viewer.ts';
import { shellWords } from '../shell/words.ts';
import { Button } from '../ui/button.tsx';
import { Choice, Field, TextField } from '../ui/field.tsx';
import { say } from '../ui/toasts.tsx';
import { MeDocument, type MeQuery, MeSaveDocument } from './generated.ts';
import { Photo } from './photo.tsx';
import { signatureHtml, signatureText } from './signature.ts';
import { profileWords } from './words.ts';

/** Who the user is, for others and for the server. */
export function Me() {
  const { viewer } = useViewer();
  const { data, refusal, reload } = useAnswer(MeDocument, { id: viewer.userId! });
  return (
    <Screen title={shellWords.pages.me} needs="userWrite">
      {refusal && <Failed refusal={refusal} onAgain={reload} />}
      {data?.user && (
        <div className="profile">
          <Photo user={data.user} />
          <Form key={data.user.id} user={data.user} languages={data.languages.nodes} />
        </div>
      )}
    </Screen>
  );
}

interface FormProps {
  user: NonNullable<MeQuery['user']>;
  languages: MeQuery['languages']['nodes'];
}

const INFORMS = ['EMAIL', 'INBOX'] as const;
const ZONES = Intl.supportedValuesOf('timeZone');

function Form({ user, languages }: FormProps) {
  const [isDirty, setDirty] = useState(false);
  const { isBusy, refusal, act, wrong } = useFormAct();
  const text = signatureText(user.signature ?? '');
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = (name: string) => String(form.get(name)).trim();
    const values = {
      name: given('name'),
      email: given('email') || false,
      phone: given('phone') || false,
      tz: given('tz') || false,
      notification_type: given('inform').toLowerCase(),
      ...(given('lang') && { lang: given('lang') }),
      // What is formatted stays so unless its words are changed.
      ...(given('signature') !== text && { signature: signatureHtml(given('signature')) }),
    };
    void act(async () => {
      await change(MeSaveDocument, { id: user.id, values });
      setDirty(false);
      say(profileWords.saved);
    });
  };
  const FIELDS = ['name', 'email', 'phone', 'lang', 'tz', 'signature'];
  const isElsewhere = refusal && !FIELDS.some((field) => wrong(field));
  return (
    <form className="card profile-form" onSubmit={save} onChange={() => setDirty(true)}>
      <div className="pair">
        <Field
          name="name"
          label={profileWords.name}
          defaultValue={user.name ?? ''}
          autoComplete="name"
          required
          error={wrong('name')}
        />
        <Field label={profileWords.login} value={user.login} readOnly hint={profileWords.loginHint} />
        <Field
          name="email"
          type="email"
          label={profileWords.email}
          defaultValue={user.email ?? ''}
          autoComplete="email"
          error={wrong('email')}
        />
        <Field
          name="phone"
          type="tel"
          label={profileWords.phone}
          defaultValue={user.phone ?? ''}
          autoComplete="tel"
          error={wrong('phone')}
        />
        <Choice
          name="lang"
          label={profileWords.dataLanguage}
          hint={profileWords.dataLanguageHint}
          defaultValue={user.lang ?? ''}
          options={withOwn(
            languages.map(({ code, name }) => [code, name] as const),
            user.lang,
          )}
          error={wrong('lang')}
        />
        <Choice
          name="tz"
          label={profileWords.timeZone}
          defaultValue={user.tz ?? ''}
          options={withOwn(
            ZONES.map((zone) => [zone, zone.replaceAll('_', ' ')] as const),
            user.tz,
          )}
          error={wrong('tz')}
        />
      </div>
      <Choice
        name="inform"
        label={profileWords.inform}
        defaultValue={user.notificationType}
        options={INFORMS.map((each) => [each, profileWords.informs[each]])}
      />
      <TextField
        name="signature"
        label={profileWords.signature}
        hint={profileWords.signatureHint}
        defaultValue={text}
        error={wrong('signature')}
      />
      {isElsewhere && (
        <p className="about wrong" role="alert">
          {refusal.message}
        </p>
      )}
      <div className="buttons">
        <Button type="submit" look="primary" isBusy={isBusy}>
          {profileWords.save}
        </Button>
      </div>
      <Unsaved isDirty={isDirty} />
    </form>
  );
}

/** The value that is set can be chosen as well, also one that is not offered. Pure. */
const withOwn = (
  offered: (readonly [string, string])[],
  own: string | null,
): (readonly [string, string])[] =>
  offered.some(([value]) => value === own)
    ? offered
    : [[own ?? '', own ?? profileWords.dataLanguageOther], ...offered];
