import { runWithToast } from '../shell/run-with-toast.ts';
import { useAction } from '../shell/use-action.ts';
import { Button } from '../ui/button.tsx';
import { FileButton } from '../ui/form/file-button.tsx';
import { readBase64 } from '../ui/input/read-base64.ts';
import { showErrorToast } from '../ui/toasts.tsx';
import { type MeQuery, MeSaveDocument } from './generated.ts';
import { profileStrings } from './strings.ts';

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
/** Limits both the width and the height. */
const MAX_SIDE_PX = 1024;
/** Must fit into a request body as base64. */
const MAX_PHOTO_BYTES = 2_500_000;

/** Shows the user's photo. Without a photo, the server renders initials. */
export function Photo({ user }: { user: NonNullable<MeQuery['user']> }) {
  const { isBusy, act } = useAction();
  const save = (image: string | false, done: string) =>
    act(async () => {
      await runWithToast(MeSaveDocument, { id: user.id, values: { image_1920: image } }, done);
    });
  const choose = async ([selectedFile]: File[]) => {
    if (!selectedFile) return;
    if (!IMAGE_TYPES.includes(selectedFile.type)) return showErrorToast(profileStrings.photoType);
    const picture = await shrinkImage(selectedFile);
    if (!picture) return showErrorToast(profileStrings.photoUnreadable);
    await save(await readBase64(picture), profileStrings.photoSaved);
  };
  return (
    <div className="card profile-photo">
      <img
        src={`/web/image/res.users/${user.id}/avatar_256?unique=${user.updatedAt}`}
        alt={profileStrings.photo}
      />
      <div className="buttons">
        <FileButton
          inputLabel={profileStrings.photo}
          accept={IMAGE_TYPES.join()}
          isBusy={isBusy}
          onFiles={choose}
        >
          {profileStrings.selectPhoto}
        </FileButton>
        {user.image1920 && (
          <Button look="ghost" onClick={() => save(false, profileStrings.photoRemoved)}>
            {profileStrings.removePhoto}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Scales an image down, or returns null if the browser cannot decode it. */
async function shrinkImage(file: File): Promise<Blob | null> {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return null;
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(picture.width, picture.height));
  if (scale === 1 && file.size < 500_000) return file;
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const wholeBlob = file.type === 'image/jpeg' ? null : await encodeImage(canvas, 'image/png');
  return wholeBlob && wholeBlob.size <= MAX_PHOTO_BYTES ? wholeBlob : encodeImage(canvas, 'image/jpeg');
}

const encodeImage = (canvas: HTMLCanvasElement, type: string): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, type, 0.9));
