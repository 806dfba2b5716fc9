import SchemaBuilder, { BasePlugin, type PothosInputFieldConfig, type SchemaTypes } from '@pothos/core';

const texts: Record<string, string> = {};

/** Says what arguments of these names mean in every verb that does not describe them itself. */
export function defineArguments(more: Record<string, string>): void {
  Object.assign(texts, more);
}

/** Describes arguments that have no description of their own. */
class ArgumentTextsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onInputFieldConfig(config: PothosInputFieldConfig<Types>): PothosInputFieldConfig<Types> {
    if (config.kind !== 'Arg' || config.description) return config;
    return { ...config, description: texts[config.name] };
  }
}

SchemaBuilder.registerPlugin('argumentTexts', ArgumentTextsPlugin);

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      argumentTexts: ArgumentTextsPlugin<Types>;
    }
  }
}
