import type { Editor } from '@tiptap/core';
import { runMutation } from '../../graphql/client.ts';
import { useAction } from '../../shell/use-action.ts';
import { readBase64 } from '../../ui/input/read-base64.ts';
import { EmailImageUploadDocument } from './generated.ts';
import { insertBlock } from './tools.ts';

/** Width of the email body, in pixels. Mail clients would scale down larger images. */
const MAX_IMAGE_WIDTH = 600;

export function useImageUpload(editor: Editor | null) {
  const { isBusy, act } = useAction();
  const insertImages = (files: readonly File[]) =>
    act(async () => {
      for (const file of files) {
        const image = { name: file.name, content: await readBase64(file) };
        const { emailImageUpload } = await runMutation(EmailImageUploadDocument, image);
        const { url, width } = emailImageUpload;
        const attrs = { src: url, alt: '', width: String(Math.min(width, MAX_IMAGE_WIDTH)) };
        if (editor) insertBlock(editor, 'image', attrs);
      }
    });
  return { isBusy, insertImages };
}
