import SchemaBuilder, { BasePlugin, type PothosInputFieldConfig, type SchemaTypes } from '@pothos/core';

const texts: Record<string, string> = {};

export function defineArgumentTexts(extra: Record<string, string>): void {
  Object.assign(texts, extra);
}

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
