import { FormDialog } from '../../../shell/dialogs/form-dialog.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { FileIconButton } from '../../../ui/form/file-button.tsx';
import { getText } from '../../../ui/form/form.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { useTabStops } from '../../../ui/input/use-tab-stops.ts';
import { composerStrings } from '../strings.ts';
import { type Editor, TOOLS, type Tool } from './editor.ts';

interface ToolbarProps {
  editor: Editor | null;
  used: readonly Tool[];
  isLinkOpen: boolean;
  setIsLinkOpen(isOpen: boolean): void;
  /** Undefined if the text does not accept images. */
  onPictures?(files: File[]): void;
}

const LETTERS: Partial<Record<Tool, string>> = { bold: 'B', italic: 'I', underline: 'U', strike: 'S' };
const ICONS: Partial<Record<Tool, IconName>> = { bullets: 'bullets', quote: 'quote', clear: 'clear' };

/** The toolbar is a single tab stop. Arrow keys move between the buttons. */
export function Toolbar({ editor, used, isLinkOpen, setIsLinkOpen, onPictures }: ToolbarProps) {
  const { bar, move, getTabStop } = useTabStops();
  return (
    <div
      ref={bar}
      className="composer-tools"
      role="toolbar"
      aria-label={composerStrings.toolbar}
      onKeyDown={move}
    >
      {TOOLS.map((tool, index) => (
        <Button
          key={tool}
          look="ghost"
          className={`square tool-${tool}`}
          aria-label={composerStrings.toolNames[tool]}
          title={composerStrings.toolNames[tool]}
          aria-pressed={tool === 'clear' ? undefined : used.includes(tool)}
          onClick={() => editor?.applyTool(tool)}
          {...getTabStop(index)}
        >
          {LETTERS[tool] ?? <Icon name={ICONS[tool] ?? 'numbers'} />}
        </Button>
      ))}
      <IconButton
        icon="link"
        label={composerStrings.link}
        title={composerStrings.linkKey}
        aria-keyshortcuts="Control+K"
        onClick={() => setIsLinkOpen(true)}
        {...getTabStop(TOOLS.length)}
      />
      <input
        type="color"
        aria-label={composerStrings.textColor}
        title={composerStrings.textColor}
        onChange={({ target }) => editor?.setColor(target.value)}
        {...getTabStop(TOOLS.length + 1)}
      />
      {onPictures && (
        <FileIconButton
          icon="picture"
          label={composerStrings.picture}
          accept="image/png,image/jpeg,image/gif,image/webp"
          onFiles={onPictures}
          {...getTabStop(TOOLS.length + 2)}
        />
      )}
      {isLinkOpen && (
        <LinkDialog onLink={(address) => editor?.setLink(address)} onClose={() => setIsLinkOpen(false)} />
      )}
    </div>
  );
}

function LinkDialog({ onLink, onClose }: { onLink(address: string): void; onClose(): void }) {
  const setLink = (form: FormData) => {
    onClose();
    onLink(getText(form, 'address'));
  };
  return (
    <FormDialog
      title={composerStrings.link}
      submit={composerStrings.setLink}
      onSubmit={setLink}
      onClose={onClose}
    >
      <Field
        name="address"
        label={composerStrings.linkAddress}
        hint={composerStrings.linkHint}
        inputMode="url"
      />
    </FormDialog>
  );
}
