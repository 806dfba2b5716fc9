import { formatSize } from '../../i18n/format.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { composerStrings } from './strings.ts';
import type { ComposerFiles } from './use-files.ts';

export const FileList = ({ files }: { files: ComposerFiles }) => (
  <ul className="composer-files" aria-label={composerStrings.attachments}>
    {files.all.map((file) => (
      <li key={file.key}>
        <Icon name="file" /> <span className="name">{file.name}</span>{' '}
        {file.staged ? (
          <span className="quiet small">{formatSize(file.size)}</span>
        ) : (
          <progress value={file.share} aria-label={composerStrings.uploading(file.name)} />
        )}
        <IconButton
          icon="close"
          label={file.staged ? composerStrings.remove(file.name) : composerStrings.cancelUpload(file.name)}
          onClick={() => files.remove(file)}
        />
      </li>
    ))}
  </ul>
);
