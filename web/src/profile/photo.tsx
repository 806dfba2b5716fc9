import { type ChangeEvent, useRef } from 'react';
import { change } from '../graphql/client.ts';
import { useAct } from '../shell/act.ts';
import { Button } from '../ui/button.tsx';
import { say, sayWrong } from '../ui/toasts.tsx';
import { type MeQuery, MeSaveDocument } from './generated.ts';
import { profileWords } from './words.ts';

const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
/** Bytes: as those of a mailbox. */
const MOST = 5 * 1024 * 1024;

/** The photo that others see; letters stand for it where there is none. */
export function Photo({ user }: { user: NonNullable<MeQuery['user']> }) {
  const file = useRef<HTMLInputElement>(null);
  const { isBusy, act } = useAct();
  const save = (image: string | false, done: string) =>
    act(async () => {
      await change(MeSaveDocument, { id: user.id, values: { image_1920: image } });
      say(done);
    });
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const chosen = target.files?.[0];
    if (!chosen) return;
    if (!TYPES.includes(chosen.type)) return sayWrong(profileWords.photoType);
    if (chosen.size > MOST) return sayWrong(profileWords.photoLarge);
    await save(await base64Of(chosen), profileWords.photoSaved);
    target.value = '';
  };
  return (
    <div className="card profile-photo">
      <img
        src={`/web/image/res.users/${user.id}/avatar_256?unique=${user.updatedAt}`}
        alt={profileWords.photo}
      />
      <input
        ref={file}
        type="file"
        accept={TYPES.join()}
        hidden
        aria-label={profileWords.photo}
        onChange={choose}
      />
      <div className="buttons">
        <Button isBusy={isBusy} onClick={() => file.current!.click()}>
          {profileWords.photoChange}
        </Button>
        <Button look="ghost" onClick={() => save(false, profileWords.photoRemoved)}>
          {profileWords.photoRemove}
        </Button>
      </div>
    </div>
  );
}

/** What a file holds, as the record API takes it. */
function base64Of(file: File): Promise<string> {
  const reader = new FileReader();
  const read = new Promise<string>((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(reader.error);
  });
  reader.readAsDataURL(file);
  return read;
}
