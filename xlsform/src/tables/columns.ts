import type { SheetName } from '../workbook/workbook.js'

const pairs = (target: string, ...names: string[]): [string, string][] => names.map((name) => [name, target])

const mediaKinds = ['image', 'big-image', 'audio', 'video'] as const
export type MediaKind = (typeof mediaKinds)[number]
export { mediaKinds }

const mediaAliases = mediaKinds.flatMap((kind) => pairs(`media::${kind}`, kind))

/** Old or friendlier headers and the column they stand for; `::` separates the parts of a target. */
const surveyAliases = new Map<string, string>([
  ...pairs('label', 'caption'),
  ...pairs('type', 'command'),
  ...pairs('name', 'tag', 'value'),
  ...pairs('bind::relevant', 'relevant', 'relevance'),
  ...pairs('bind::required', 'required'),
  ...pairs('bind::jr:requiredMsg', 'required_message', 'requiredmsg'),
  ...pairs('bind::constraint', 'constraint'),
  ...pairs('bind::jr:constraintMsg', 'constraint_message', 'constraining_message'),
  ...pairs('bind::calculate', 'calculation', 'calculate'),
  ...pairs('bind::readonly', 'read_only', 'readonly'),
  ...pairs('bind::jr:noAppErrorString', 'noapperrorstring', 'no_app_error_string'),
  ...pairs('bind::entities:saveto', 'save_to'),
  ...pairs('control::appearance', 'appearance'),
  ...pairs('control::jr:count', 'repeat_count', 'count', 'jr:count'),
  ...pairs('control::autoplay', 'autoplay'),
  ...pairs('control::rows', 'rows'),
  ...pairs('control', 'body'),
  ...pairs('instance::odk:tag', 'compact_tag'),
  ...pairs('instance::hxl', 'hxl'),
  ...mediaAliases,
])

const surveyColumns = [
  'type',
  'name',
  'label',
  'hint',
  'guidance_hint',
  'default',
  'choice_filter',
  'trigger',
  'parameters',
  'query',
  'itemset',
  'list_name',
  'intent',
  'disabled',
  'sms_field',
  'sms_option',
  'sms_separator',
]

const choiceAliases = new Map<string, string>([
  ...pairs('label', 'caption'),
  ...pairs('name', 'value'),
  ...mediaAliases,
])

const settingAliases = new Map<string, string>([
  ...pairs('form_title', 'title', 'set_form_title'),
  ...pairs('form_id', 'set_form_id'),
])

const settingColumns = [
  'form_id',
  // Kept apart from form_id: giving both is a warning, not two headers for one column.
  'id_string',
  'form_title',
  'name',
  'version',
  'default_language',
  'style',
  'instance_name',
  'instance_id',
  'submission_url',
  'public_key',
  'auto_send',
  'auto_delete',
  'client_editable',
  'instance_xmlns',
  'namespaces',
  'prefix',
  'delimiter',
  'allow_choice_duplicates',
  'clean_text_values',
  'flat',
  'add_none_option',
  'omit_instanceid',
  'sms_keyword',
]

export interface ColumnRules {
  known: ReadonlySet<string>
  aliases: ReadonlyMap<string, string>
  /** First tokens that need a second one: `bind::relevant`. */
  families: ReadonlySet<string>
  /** Columns that may carry a language as their last token. */
  translatable: ReadonlySet<string>
}

const texts = ['label', ...mediaKinds.map((kind) => `media::${kind}`)]

const choiceRules: ColumnRules = {
  known: new Set(['list_name', 'name', 'label', 'sms_option']),
  aliases: choiceAliases,
  families: new Set(['media']),
  translatable: new Set(texts),
}

export const columnRules: Record<SheetName, ColumnRules> = {
  survey: {
    known: new Set(surveyColumns),
    aliases: surveyAliases,
    families: new Set(['bind', 'control', 'instance', 'media']),
    translatable: new Set([
      ...texts,
      'hint',
      'guidance_hint',
      'bind::jr:requiredMsg',
      'bind::jr:constraintMsg',
      'bind::jr:noAppErrorString',
    ]),
  },
  choices: choiceRules,
  external_choices: choiceRules,
  osm: choiceRules,
  settings: {
    known: new Set(settingColumns),
    aliases: settingAliases,
    families: new Set(['attribute']),
    translatable: new Set(),
  },
  entities: {
    known: new Set(['list_name', 'label', 'entity_id', 'create_if', 'update_if', 'repeat']),
    aliases: new Map(pairs('list_name', 'dataset')),
    families: new Set(),
    translatable: new Set(),
  },
}

/** Every header an author may write on a sheet, for hints at misspelt ones. */
export const headerNames = (rules: ColumnRules): string[] => [...rules.known, ...rules.aliases.keys()]
