import type { ChoiceList } from '../choices/choice-lists.js'
import { lastSavedInstance, lastSavedSource } from '../references/resolver.js'
import type { FormNode } from '../survey/node.js'
import type { MediaKind } from '../tables/columns.js'
import type { TextCell } from '../tables/table.js'
import { type Form, instanceChildren } from '../xform/form.js'
import { isInstance } from '../xform/write-secondary.js'
import { InlineLists } from './inline-lists.js'
import type { FormModel, ModelChoice, ModelGroup, ModelMedia, ModelNode, ModelQuestion, ModelText } from './model.js'
import { hxlOf, listOfNodeset, sortEntities, sortTexts } from './model-texts.js'
import { questionType } from './question-type.js'

/** The model of a compiled form, without reading its XML back. */
export const modelOfForm = (form: Form): FormModel => new ModelMaker(form).make()

class ModelMaker {
  readonly #form: Form
  readonly #languages: string[]
  readonly #inlineLists = new InlineLists()
  readonly #inlineNumbers = new Map<ChoiceList, number>()

  constructor(form: Form) {
    this.#form = form
    this.#languages = form.itext.languages
  }

  make(): FormModel {
    const { settings, root, meta, survey, entities, resolver } = this.#form
    const children = this.#children(root)
    if (meta.children.length > 0) children.push(this.#group(meta))
    const externalInstances = survey.externals.list().map(({ id, src }) => ({ id, src }))
    if (resolver.usesLastSaved) externalInstances.push({ id: lastSavedInstance, src: lastSavedSource })
    return {
      formId: settings.formId,
      title: settings.title,
      version: settings.version,
      rootName: settings.rootName,
      style: settings.style,
      languages: this.#languages,
      defaultLanguage: this.#languages.includes(settings.defaultLanguage) ? settings.defaultLanguage : null,
      submissionUrl: settings.submissionUrl,
      publicKey: settings.publicKey,
      children,
      choiceLists: [...survey.lists.values()]
        .filter((list) => isInstance(list, this.#form))
        .map((list) => ({ name: list.name, choices: this.#choices(list) })),
      ...this.#inlineLists.asMember,
      externalInstances,
      entities: sortEntities(
        entities.map(({ dataset, container, creates, updates }) => ({
          dataset,
          container: container.path,
          creates,
          updates,
        })),
      ),
    }
  }

  #children(node: FormNode): ModelNode[] {
    return [...instanceChildren(node)].filter((child) => !child.isEmpty).map((child) => this.#node(child))
  }

  #node(node: FormNode): ModelNode {
    return node.kind === 'question' ? this.#question(node) : this.#group(node)
  }

  #element(
    node: FormNode,
  ): Pick<ModelGroup, 'name' | 'path' | 'labels' | 'media' | 'appearance' | 'relevant' | 'readonly'> {
    const isShown = node.kind !== 'question' || node.hasControl
    // What is not shown keeps its label for those who read the answers.
    const isTranslated = (isShown && node.media.length > 0) || hasLanguage(node.label)
    return {
      name: node.name,
      path: node.path,
      labels: this.#texts(node.label, isTranslated),
      media: isShown ? this.#media(node.media) : [],
      appearance: isShown ? attributeOf(node.resolved?.control, 'appearance') : null,
      relevant: attributeOf(node.resolved?.bind, 'relevant'),
      readonly: attributeOf(node.resolved?.bind, 'readonly'),
    }
  }

  #group(node: FormNode): ModelGroup {
    return {
      kind: node.kind === 'repeat' ? 'repeat' : 'group',
      ...this.#element(node),
      children: this.#children(node),
      count: attributeOf(node.resolved?.control, 'jr:count'),
    }
  }

  #question(node: FormNode): ModelQuestion {
    const bind = (name: string): string | null => attributeOf(node.resolved?.bind, name)
    const { itemset = null, value = '', initial = null } = node.resolved ?? {}
    const query = node.hasControl ? attributeOf(node.resolved?.control, 'query') : null
    const inline =
      node.hasControl && node.select?.hasSearch === true ? this.#form.survey.lists.get(node.select.list) : undefined
    const isGuided = node.guidance.length > 0 || hasLanguage(node.hint)
    return {
      kind: 'question',
      ...this.#element(node),
      type: this.#type(node, query !== null),
      dataType: bind('type'),
      hints: node.hasControl ? this.#texts(node.hint, isGuided) : [],
      guidance: node.hasControl ? this.#texts(node.guidance, true) : [],
      required: bind('required'),
      constraint: bind('constraint'),
      calculate: bind('calculate'),
      requiredMessages: this.#messages(node, 'jr:requiredMsg'),
      constraintMessages: this.#messages(node, 'jr:constraintMsg'),
      default: value === '' ? null : value,
      initial: initial?.trim() ?? null,
      list: node.hasControl ? listOfNodeset(query ?? itemset?.nodeset ?? '') : null,
      itemset:
        itemset === null || !node.hasControl
          ? null
          : { nodeset: itemset.nodeset, value: itemset.value, label: itemset.label },
      ...(inline === undefined ? {} : { inlineList: this.#inline(inline) }),
      choices: null,
      saveTo: bind('entities:saveto'),
      ...hxlOf(attributeOf(node.resolved?.instance, 'hxl')),
    }
  }

  #type(node: FormNode, hasQuery: boolean): string {
    const bind = (name: string): string | null => attributeOf(node.resolved?.bind, name)
    const isTriggered = node.triggers !== null
    const name = node.type?.name ?? ''
    const isAction = name === 'start-geopoint' || name === 'background-geopoint' || name === 'background-audio'
    return questionType({
      control: node.hasControl ? (node.type?.control ?? 'trigger') : null,
      mediatype: attributeOf(node.resolved?.control, 'mediatype'),
      hasQuery,
      dataType: bind('type'),
      preload: bind('jr:preload'),
      preloadParams: bind('jr:preloadParams'),
      readonly: bind('readonly'),
      calculate: bind('calculate'),
      hasValue: node.resolved?.value !== '' || node.resolved.initial !== null || isTriggered,
      action: isAction ? name : null,
      metaName: node.parent === this.#form.meta ? node.name : null,
    })
  }

  #messages(node: FormNode, name: string): ModelText[] {
    const texts = node.messages.get(name) ?? []
    return this.#texts(texts, hasLanguage(texts) || texts.some(({ text }) => text.includes('${')))
  }

  // In itext a text without a language belongs to the default one, and '-' stands for a missing text.
  #texts(cells: readonly TextCell[], isInItext: boolean): ModelText[] {
    const texts = cells.map(({ language, text }) => ({
      language: isInItext ? (language ?? this.#form.settings.defaultLanguage) : language,
      text: text.trim(),
    }))
    return sortTexts(texts, this.#languages, isInItext)
  }

  #media(media: readonly (readonly [MediaKind, readonly TextCell[]])[]): ModelMedia[] {
    return media.flatMap(([kind, cells]) =>
      this.#texts(cells, true).map(({ language, text }) => ({ kind, language: language ?? '', file: text })),
    )
  }

  /** What a control shows has no further columns. */
  #inline(list: ChoiceList): number {
    const known = this.#inlineNumbers.get(list)
    if (known !== undefined) return known
    const number = this.#inlineLists.add(this.#choices(list).map((choice) => ({ ...choice, data: [] })))
    this.#inlineNumbers.set(list, number)
    return number
  }

  #choices(list: ChoiceList): ModelChoice[] {
    const { needsItext } = list
    return list.choices.map(({ name, label, media, data }) => ({
      name,
      labels: this.#texts(label, needsItext),
      media: this.#media(media),
      data,
    }))
  }
}

const hasLanguage = (cells: readonly TextCell[]): boolean => cells.some(({ language }) => language !== null)

const attributeOf = (pairs: readonly [string, string][] | undefined, name: string): string | null =>
  pairs?.find(([own]) => own === name)?.[1].trim() ?? null
