import { useState } from 'react';
import { ActionForm } from '../../shell/action-form.tsx';
import { SaveButtons } from '../../shell/save-buttons.tsx';
import { UnsavedGuard } from '../../shell/unsaved/unsaved-guard.tsx';
import { isAboutArgument } from '../../shell/use-action.ts';
import { Checkbox, Field, Select, TextArea } from '../../ui/form/field.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { Site } from '../site-screen.tsx';
import { siteStrings } from '../strings.ts';
import { UrlField } from '../url-field.tsx';
import type { PageFacts, PageGroups, PageMarkup } from './facts.ts';
import { type PageFormValues, parseForm, toFormValues } from './property-changes.ts';
import { saveProperties } from './save-properties.ts';

interface SitePagePropertiesProps {
  site: Site;
  page: PageFacts;
  groups: PageGroups;
  markup: PageMarkup;
  lang: string | undefined;
  /** Saving can replace the page with a copy, which has a new id. */
  onSaved(id: string): void;
}

export function SitePageProperties({ page, markup, ...props }: SitePagePropertiesProps) {
  const [shown, setShown] = useState<ShownProperties>(() => ({
    page,
    markup,
    before: toFormValues(page, markup),
    version: page.version,
    round: 0,
  }));
  const [isDirty, setIsDirty] = useState(false);
  // Without edits, the form shows the server's current values.
  if (!isDirty && (page !== shown.page || markup !== shown.markup))
    setShown(followServer(shown, page, markup));
  return (
    <PropertiesForm
      key={shown.round}
      {...props}
      {...shown}
      isDirty={isDirty}
      onDirty={setIsDirty}
      onBefore={(before, version) => setShown((old) => ({ ...old, before, version }))}
    />
  );
}

interface ShownProperties {
  page: PageFacts;
  markup: PageMarkup;
  /** The saved values. */
  before: PageFormValues;
  version: number;
  /** Changes if the fields are mounted again. */
  round: number;
}

/** Takes the server's values. Keeps the fields, and thereby the focus, if they already show them, as after a save. */
function followServer(shown: ShownProperties, page: PageFacts, markup: PageMarkup): ShownProperties {
  const { title, metaDescription, ...values } = toFormValues(page, markup);
  const before = {
    ...shown.before,
    ...(page !== shown.page && values),
    ...(markup !== shown.markup && { title, metaDescription }),
    redirect: false,
  };
  const isSame =
    page.version === shown.version &&
    JSON.stringify(before) === JSON.stringify({ ...shown.before, redirect: false });
  return { page, markup, before, version: page.version, round: shown.round + (isSame ? 0 : 1) };
}

interface PropertiesFormProps extends SitePagePropertiesProps {
  before: PageFormValues;
  isDirty: boolean;
  onDirty(isDirty: boolean): void;
  onBefore(before: PageFormValues, version: number): void;
}

function PropertiesForm({
  site,
  page,
  groups,
  markup,
  lang,
  onSaved,
  before,
  isDirty,
  onDirty,
  onBefore,
}: PropertiesFormProps) {
  const [now, setNow] = useState(before);
  const compare = (form: HTMLFormElement, saved: PageFormValues) => {
    const values = parseForm(new FormData(form));
    setNow(values);
    onDirty(JSON.stringify({ ...values, redirect: false }) !== JSON.stringify({ ...saved, redirect: false }));
  };
  const save = async (form: FormData, expectedVersion: number | undefined, element: HTMLFormElement) => {
    const values = parseForm(form);
    const { id, version } = await saveProperties({ site, page, before, values, lang, expectedVersion });
    onBefore(values, version);
    // The user may have typed while the server saved.
    compare(element, values);
    showToast(siteStrings.saved);
    onSaved(id);
    return version;
  };
  const onDiscard = () => {
    setNow(before);
    onDirty(false);
  };
  const bind = (name: TextProperty) => ({ name, defaultValue: before[name] });
  return (
    <ActionForm
      className="measure"
      version={page.version}
      buttons={(isBusy) => (
        <SaveButtons isBusy={isBusy} isDirty={isDirty} isSticky resetsFields onDiscard={onDiscard} />
      )}
      // The new URL is an argument of its own.
      errorField={(refusal) => (isAboutArgument(refusal, 'newUrl') ? 'url' : '')}
      onSubmit={save}
      onChange={({ currentTarget }) => compare(currentTarget, before)}
    >
      <UnsavedGuard isDirty={isDirty} />
      <fieldset className="site-fieldset">
        <legend>{siteStrings.page}</legend>
        <Field {...bind('name')} label={siteStrings.name} required />
        <UrlField {...bind('url')} label={siteStrings.url} hint={siteStrings.urlHint} required />
        {now.url !== before.url && (
          <Checkbox name="redirect" label={siteStrings.redirectOld} defaultChecked={before.isPublished} />
        )}
        <Checkbox name="inMenu" label={siteStrings.inMenu} defaultChecked={before.inMenu} />
      </fieldset>
      <PublishingFields
        bind={bind}
        isPublished={before.isPublished}
        visibility={now.visibility}
        groups={groups}
      />
      <SearchEngineFields bind={bind} isIndexed={before.isIndexed} languages={markup.languages} lang={lang} />
    </ActionForm>
  );
}

type TextProperty = {
  [Name in keyof PageFormValues]: PageFormValues[Name] extends string ? Name : never;
}[keyof PageFormValues];

interface PropertyFieldsProps {
  bind(name: TextProperty): { name: string; defaultValue: string };
}

interface PublishingFieldsProps extends PropertyFieldsProps {
  isPublished: boolean;
  visibility: string;
  groups: PageGroups;
}

const PublishingFields = ({ bind, isPublished, visibility, groups }: PublishingFieldsProps) => (
  <fieldset className="site-fieldset">
    <legend>{siteStrings.publishing}</legend>
    <Checkbox name="isPublished" label={siteStrings.isPublished} defaultChecked={isPublished} />
    <Field
      {...bind('publishAt')}
      type="datetime-local"
      label={siteStrings.publishAt}
      hint={siteStrings.publishAtHint}
    />
    <Select
      {...bind('visibility')}
      label={siteStrings.visibility}
      options={Object.entries(siteStrings.visibilities)}
    />
    {visibility === 'restricted_group' && (
      <Select
        {...bind('groupId')}
        label={siteStrings.group}
        required
        options={[['', ''], ...groups.map(({ id, displayName }) => [id, displayName] as const)]}
      />
    )}
  </fieldset>
);

interface SearchEngineFieldsProps extends PropertyFieldsProps {
  isIndexed: boolean;
  languages: PageMarkup['languages'];
  lang: string | undefined;
}

function SearchEngineFields({ bind, isIndexed, languages, lang }: SearchEngineFieldsProps) {
  const language = languages.find(({ code }) => code === lang)?.name;
  return (
    <fieldset className="site-fieldset">
      <legend>{siteStrings.searchEngines}</legend>
      <Checkbox name="isIndexed" label={siteStrings.isIndexed} defaultChecked={isIndexed} />
      {languages.length > 1 && (
        <p className="quiet small">
          {language ? siteStrings.forLanguage(language) : siteStrings.forAllLanguages}
        </p>
      )}
      <Field {...bind('title')} label={siteStrings.seoTitle} hint={siteStrings.seoTitleHint} />
      <TextArea
        {...bind('metaDescription')}
        label={siteStrings.seoDescription}
        hint={siteStrings.seoDescriptionHint}
      />
      <UrlField {...bind('image')} label={siteStrings.image} hint={siteStrings.imageHint} />
    </fieldset>
  );
}
