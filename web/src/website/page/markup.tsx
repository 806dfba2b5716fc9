import { Suspense, useState } from 'react';
import { lazy } from '../../connection/lazy.ts';
import { Loading } from '../../shell/loading.tsx';
import { Select } from '../../ui/form/field.tsx';
import type { SitePageView } from '../address.ts';
import type { Site } from '../site-screen.tsx';
import { siteStrings } from '../strings.ts';
import { getErrorText, parseErrorPosition } from './markup-error.ts';
import { SitePreview } from './preview.tsx';
import type { MarkupEditor } from './use-markup-editor.ts';
import { useSitePreview } from './use-site-preview.ts';

const CodeEditor = lazy(() => import('../../ui/code-editor.tsx'), 'CodeEditor');

interface SiteMarkupProps {
  site: Site;
  name: string;
  editor: MarkupEditor;
  view: SitePageView;
  show(changes: SitePageView): void;
}

export function SiteMarkup({ site, name, editor, view, show }: SiteMarkupProps) {
  const { base, arch, isDirty, refusal: unsaved, dispatch, saveChanges } = editor;
  const { renderedPreview, refusal } = useSitePreview({ site: site.id, name, arch, lang: view.lang });
  const [goes, setGoes] = useState(0);
  const { languages, lang, hasOwn } = base;
  const language = languages.find(({ code }) => code === lang)?.name ?? lang;
  // The preview is newer than the last save, so its error takes precedence.
  const mistake = refusal ?? (unsaved?.argument === 'expectedVersion' ? null : unsaved);
  const errorPosition = mistake && parseErrorPosition(mistake.message);
  return (
    <div className="site-editing">
      <section className="site-editor" aria-label={siteStrings.markup}>
        {languages.length > 1 && (
          <Select
            label={siteStrings.language}
            value={lang}
            disabled={isDirty}
            hint={
              isDirty
                ? siteStrings.saveBeforeLanguage
                : hasOwn
                  ? undefined
                  : siteStrings.untranslated(language)
            }
            options={languages.map((language) => [language.code, language.name] as const)}
            onChange={({ target }) =>
              show({ lang: target.value === languages[0]!.code ? undefined : target.value })
            }
          />
        )}
        <div className="site-code">
          <Suspense fallback={<Loading />}>
            <CodeEditor
              label={siteStrings.markup}
              value={arch}
              errorPosition={errorPosition}
              goes={goes}
              onChange={(next) => dispatch({ kind: 'edit', arch: next })}
              onSave={saveChanges}
            />
          </Suspense>
        </div>
        <p className="quiet small">{siteStrings.markupHint}</p>
        {mistake && (
          <div className="site-mistake">
            <p role="alert">{getErrorText(mistake.message)}</p>
            {errorPosition && (
              <button type="button" className="button ghost" onClick={() => setGoes(goes + 1)}>
                {siteStrings.goToPosition(errorPosition.line, errorPosition.column)}
              </button>
            )}
          </div>
        )}
      </section>
      <SitePreview
        site={site}
        name={name}
        renderedPreview={renderedPreview}
        isOld={refusal !== null}
        view={view}
        show={show}
      />
    </div>
  );
}
