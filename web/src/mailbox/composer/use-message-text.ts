import { useRef } from 'react';
import { openPalette } from '../../shell/overlays.ts';
import { showErrorToast } from '../../ui/toasts.tsx';
import type { InitialMessage } from './initial-message.ts';
import { composerStrings } from './strings.ts';
import type { PictureStore } from './text/pictures.ts';
import { useEditor } from './text/use-editor.ts';
import type { StagedFile } from './upload.ts';

interface MessageTextOptions {
  initialMessage: InitialMessage;
  isRich: boolean;
  pictures: PictureStore;
  getQuote(): string;
  addFiles(files: readonly File[]): Promise<(StagedFile | null)[]>;
  onChange(): void;
  onKey(event: KeyboardEvent): void;
}

export type MessageText = ReturnType<typeof useMessageText>;

const PICTURE_TYPE = /^image\/(?:png|jpeg|gif|webp)$/;

export function useMessageText(options: MessageTextOptions) {
  const { initialMessage, isRich, pictures, getQuote, addFiles, onChange, onKey } = options;
  const { content, quote } = initialMessage;
  const untouchedHtml = useRef('');
  const addPictures = async (files: readonly File[]) => {
    // Users can remove the file dialog's filter and choose other files.
    const images = files.filter(({ type }) => type.startsWith('image/'));
    for (const { name } of files.filter((file) => !images.includes(file)))
      showErrorToast(composerStrings.notImage(name));
    for (const [index, item] of (await addFiles(images)).entries())
      if (item) editor.current?.insertPicture(item.id, pictures.add(item.id, images[index]!), item.name);
  };
  const { editor, frame, tools } = useEditor(
    { label: composerStrings.text, quoteLabel: composerStrings.quote, content, quote, pictures },
    {
      onChange,
      onKey,
      ...(!isRich && { onLinkKey: openPalette }),
      onFiles(files, isPasted) {
        if (!isRich) return;
        void (isPasted && files.every(({ type }) => PICTURE_TYPE.test(type)) ? addPictures : addFiles)(files);
      },
      onReady(editor) {
        untouchedHtml.current = editor.getHtml();
        if (initialMessage.to.length > 0) editor.focus();
      },
    },
  );
  /** Returns the original markup of an unedited body, because the editor normalizes HTML. */
  const getHtml = (): string => {
    const html = editor.current?.getHtml() ?? untouchedHtml.current;
    return (html === untouchedHtml.current ? content : html) + getQuote();
  };
  const isUnchanged = () => getHtml() === content + quote;
  const isEmptied = () => content === '' && editor.current?.isEmpty() === true && getQuote() === quote;
  return {
    frame,
    tools,
    getHtml,
    getText: () => editor.current?.getText() ?? '',
    isUnchanged,
    isUnwritten: () => isUnchanged() || isEmptied(),
    editQuote: () => editor.current?.editQuote(),
    addPictures,
  };
}
