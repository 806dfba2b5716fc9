import { type ChangeEvent, useRef } from 'react';
import { change } from '../graphql/client.ts';
import { useAct } from '../shell/act.ts';
import { Button } from '../ui/button.tsx';
import { say, sayWrong } from '../ui/toasts.tsx';
import { type MeQuery, MeSaveDocument } from './generated.ts';
import { profileWords } from './words.ts';

const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
/** Pixels of a side: as much as any screen shows of it. */
const SIDE = 1024;

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
    target.value = '';
    const picture = await smaller(chosen);
    if (!picture) return sayWrong(profileWords.photoBroken);
    await save(await base64Of(picture), profileWords.photoSaved);
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

/** The picture in the size that is shown; null for what the browser cannot read. */
async function smaller(file: File): Promise<Blob | null> {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return null;
  const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height));
  if (scale === 1 && file.size < 500_000) return file;
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  // What may be transparent stays so.
  const type = file.type === 'image/jpeg' ? file.type : 'image/png';
  return new Promise((made) => canvas.toBlob(made, type, 0.9));
}

/** What a file holds, as the record API takes it. */
function base64Of(file: Blob): Promise<string> {
  const reader = new FileReader();
  const read = new Promise<string>((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(reader.error);
  });
  reader.readAsDataURL(file);
  return read;
}
