import { useEffect, useState } from 'react';
import { runQuery } from '../../graphql/client.ts';
import { ConflictDialog } from '../../shell/dialogs/conflict.tsx';
import { siteStrings } from '../strings.ts';
import type { PageMarkup } from './facts.ts';
import { SitePageMarkupDocument } from './generated.ts';
import type { MarkupEditor } from './use-markup-editor.ts';

interface SitePageConflictProps {
  id: string;
  site: string;
  lang: string | undefined;
  editor: MarkupEditor;
}

export function SitePageConflict({ id, site, lang, editor }: SitePageConflictProps) {
  const [theirs, setTheirs] = useState<PageMarkup>();
  useEffect(() => {
    // Bypasses the cache, which may not contain the other user's change.
    void runQuery(SitePageMarkupDocument, { id, site, lang }).then((data) =>
      setTheirs(data.websitePageMarkup),
    );
  }, [id, site, lang]);
  return (
    <ConflictDialog
      title={siteStrings.conflict}
      text={theirs && siteStrings.conflictText(theirs.version)}
      onMine={() => void editor.save(theirs!.version)}
      onTheirs={() => {
        editor.dismissRefusal();
        editor.dispatch({ kind: 'load', markup: theirs! });
      }}
      onClose={editor.dismissRefusal}
    />
  );
}
