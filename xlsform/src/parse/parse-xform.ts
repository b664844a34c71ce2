import { limits } from '../limits.js'
import { InlineLists } from '../model/inline-lists.js'
import type {
  FormModel,
  ModelChoice,
  ModelChoiceList,
  ModelEntity,
  ModelGroup,
  ModelNode,
  ModelQuestion,
} from '../model/model.js'
import { hxlOf, listOfNodeset, sortEntities } from '../model/model-texts.js'
import { questionType } from '../model/question-type.js'
import { fail } from '../problems.js'
import { decodeXml } from './decode-xml.js'
import { type BodyIndex, indexBody } from './parse-body.js'
import { TextReader, type Texts } from './parse-texts.js'
import { childElements, childNamed, parseXml, textOf, type XmlElement } from './xml-tree.js'

/** Reads an XForm into the model that compiling gives. Throws `XlsFormError` when it is none. */
export const parseXForm = (xml: string | Uint8Array): FormModel => {
  const html = parseXml(typeof xml === 'string' ? xml.replace(/^\uFEFF/, '') : decodeXml(xml))
  const head = childNamed(html, 'h:head')
  const model = childNamed(head, 'model')
  const instances = model === undefined ? [] : childElements(model).filter(({ name }) => name === 'instance')
  const root = instances[0] === undefined ? undefined : childElements(instances[0])[0]
  if (model === undefined || root === undefined)
    return fail('not-an-xform', 'The XML is no XForm: it has no model with an instance in its head.')
  return new FormParser(html, head, model, root, instances.slice(1)).parse()
}

const emptyBind: ReadonlyMap<string, string> = new Map()

class FormParser {
  readonly #head: XmlElement | undefined
  readonly #model: XmlElement
  readonly #root: XmlElement
  readonly #secondary: XmlElement[]
  readonly #binds = new Map<string, ReadonlyMap<string, string>>()
  readonly #body: XmlElement | undefined
  readonly #index: BodyIndex
  readonly #texts: TextReader
  readonly #entities: ModelEntity[] = []
  readonly #inlineLists = new InlineLists()

  constructor(
    html: XmlElement,
    head: XmlElement | undefined,
    model: XmlElement,
    root: XmlElement,
    secondary: XmlElement[],
  ) {
    this.#head = head
    this.#model = model
    this.#root = root
    this.#secondary = secondary
    const bindIds = new Map<string, string>()
    for (const { name, attributes } of childElements(model)) {
      const nodeset = attributes.get('nodeset')?.trim()
      if (name !== 'bind' || nodeset === undefined) continue
      this.#binds.set(nodeset, attributes)
      const id = attributes.get('id')
      if (id !== undefined) bindIds.set(id, nodeset)
    }
    this.#texts = new TextReader(childNamed(model, 'itext'), collectPaths(root))
    this.#body = childNamed(html, 'h:body')
    this.#index = indexBody(this.#body, model, bindIds)
  }

  parse(): FormModel {
    const { attributes, name } = this.#root
    const formId = attributes.get('id') ?? attributes.get('xmlns') ?? name
    const submission = childNamed(this.#model, 'submission')?.attributes ?? emptyBind
    const title = textOf(childNamed(this.#head, 'h:title')).trim()
    const children = this.#children(this.#root, `/${name}`)
    return {
      formId,
      title: title === '' ? formId : title,
      version: attributes.get('version') ?? attributes.get('orx:version') ?? null,
      rootName: name,
      style: this.#body?.attributes.get('class') ?? null,
      languages: this.#texts.languages,
      defaultLanguage: this.#texts.defaultLanguage,
      submissionUrl: submission.get('action') ?? null,
      publicKey: submission.get('base64RsaPublicKey') ?? null,
      children,
      choiceLists: this.#secondary.flatMap((instance) => this.#list(instance)),
      ...this.#inlineLists.asMember,
      externalInstances: this.#secondary.flatMap(({ attributes: own }) => {
        const src = own.get('src')
        return src === undefined ? [] : [{ id: own.get('id') ?? '', src }]
      }),
      entities: sortEntities(this.#entities),
    }
  }

  // A repeat stands in the instance several times, as template and as instances: the first one tells all.
  #children(parent: XmlElement, path: string): ModelNode[] {
    const nodes: ModelNode[] = []
    const seen = new Set<string>()
    for (const element of childElements(parent)) {
      const own = `${path}/${element.name}`
      if (seen.has(own)) continue
      seen.add(own)
      const node = this.#node(element, own, path)
      if (node !== undefined) nodes.push(node)
    }
    return nodes
  }

  #node(element: XmlElement, path: string, parentPath: string): ModelNode | undefined {
    if (element.name === 'meta' || element.name === 'orx:meta') return this.#meta(element, path, parentPath)
    const isContainer =
      this.#index.repeats.has(path) || this.#index.groups.has(path) || childElements(element).length > 0
    if (isContainer) return this.#group(element, path)
    return this.#holdsNothing(element, path) ? undefined : this.#question(element, path, null)
  }

  /** An element that nothing fills: what is left of an empty group. */
  #holdsNothing(element: XmlElement, path: string): boolean {
    const { controls, actions, setByAction } = this.#index
    const isMentioned = this.#binds.has(path) || controls.has(path) || actions.has(path) || setByAction.has(path)
    return !isMentioned && textOf(element).trim() === ''
  }

  #meta(element: XmlElement, path: string, parentPath: string): ModelNode | undefined {
    for (const child of childElements(element)) {
      const dataset = child.attributes.get('dataset')
      if (child.name.replace('entities:', '') !== 'entity' || dataset === undefined) continue
      this.#entities.push({
        dataset,
        container: parentPath,
        creates: child.attributes.has('create'),
        updates: child.attributes.has('update'),
      })
    }
    const isRootMeta = parentPath === `/${this.#root.name}`
    const children = childElements(element)
      .filter((child) => !child.attributes.has('dataset'))
      .map((child) => this.#question(child, `${path}/${child.name}`, isRootMeta ? ownName(child) : null))
    if (children.length === 0) return undefined
    return { ...this.#group({ ...element, content: [] }, path), children }
  }

  #group(element: XmlElement, path: string): ModelGroup {
    const repeat = this.#index.repeats.get(path)
    const control = repeat === undefined ? this.#index.groups.get(path) : repeat.repeat
    const labelled = repeat === undefined ? control : (repeat.wrapper ?? repeat.repeat)
    const { labels, media } = this.#texts.element(childNamed(labelled, 'label'), path)
    const bind = this.#binds.get(path) ?? emptyBind
    return {
      kind: repeat === undefined ? 'group' : 'repeat',
      name: ownName(element),
      path,
      labels,
      media,
      appearance: trimmed(control?.attributes.get('appearance')),
      relevant: trimmed(bind.get('relevant')),
      readonly: trimmed(bind.get('readonly')),
      children: this.#children(element, path),
      count: trimmed(control?.attributes.get('jr:count')),
    }
  }

  #question(element: XmlElement, path: string, metaName: string | null): ModelQuestion {
    const bind = this.#binds.get(path) ?? emptyBind
    const control = this.#index.controls.get(path)
    const label = this.#label(bind, control, path)
    const hint = this.#texts.element(childNamed(control, 'hint'), path)
    const itemset = childNamed(control, 'itemset')
    const query = trimmed(control?.attributes.get('query'))
    const nodeset = itemset?.attributes.get('nodeset') ?? ''
    const value = textOf(element).trim()
    const initial = this.#index.initial.get(path) ?? null
    const inline = control === undefined ? [] : childElements(control).filter(({ name }) => name === 'item')
    return {
      kind: 'question',
      name: ownName(element),
      path,
      labels: label.labels,
      media: label.media,
      appearance: trimmed(control?.attributes.get('appearance')),
      relevant: trimmed(bind.get('relevant')),
      readonly: trimmed(bind.get('readonly')),
      type: this.#type(bind, control, path, value !== '', metaName),
      dataType: dataType(bind),
      hints: hint.labels,
      guidance: hint.guidance,
      required: trimmed(bind.get('required')),
      constraint: trimmed(bind.get('constraint')),
      calculate: trimmed(bind.get('calculate')),
      requiredMessages: this.#texts.message(bind.get('jr:requiredMsg'), path),
      constraintMessages: this.#texts.message(bind.get('jr:constraintMsg'), path),
      default: value === '' ? null : value,
      initial,
      list: listOfNodeset(query ?? nodeset),
      itemset:
        itemset === undefined
          ? null
          : {
              nodeset,
              value: childNamed(itemset, 'value')?.attributes.get('ref') ?? '',
              label: childNamed(itemset, 'label')?.attributes.get('ref') ?? '',
            },
      ...(inline.length === 0
        ? {}
        : { inlineList: this.#inlineLists.add(inline.map((item) => this.#inlineChoice(item, path))) }),
      choices: null,
      saveTo: trimmed(bind.get('entities:saveto')),
      ...hxlOf(element.attributes.get('hxl')),
    }
  }

  /** What is not shown keeps its label for those who read the answers: in itext, or with the bind. */
  #label(bind: ReadonlyMap<string, string>, control: XmlElement | undefined, path: string): Texts {
    if (control !== undefined) return this.#texts.element(childNamed(control, 'label'), path)
    const translated = this.#texts.byId(`${path}:label`, path)
    return translated.labels.length > 0
      ? { ...translated, media: [] }
      : { labels: this.#texts.message(bind.get('sheaf:label'), path), media: [], guidance: [] }
  }

  #type(
    bind: ReadonlyMap<string, string>,
    control: XmlElement | undefined,
    path: string,
    hasDefault: boolean,
    metaName: string | null,
  ): string {
    return questionType({
      control: control?.name ?? null,
      mediatype: control?.attributes.get('mediatype') ?? null,
      hasQuery: control?.attributes.has('query') === true,
      dataType: dataType(bind),
      preload: bind.get('jr:preload') ?? null,
      preloadParams: bind.get('jr:preloadParams') ?? null,
      readonly: trimmed(bind.get('readonly')),
      calculate: trimmed(bind.get('calculate')),
      hasValue: hasDefault || this.#index.setByAction.has(path),
      action: this.#index.actions.get(path) ?? null,
      metaName,
    })
  }

  #inlineChoice(item: XmlElement, path: string): ModelChoice {
    const { labels, media } = this.#texts.element(childNamed(item, 'label'), path)
    return { name: textOf(childNamed(item, 'value')), labels, media, data: [] }
  }

  #list(instance: XmlElement): ModelChoiceList[] {
    const items = childElements(childNamed(instance, 'root') ?? instance).filter(({ name }) => name === 'item')
    if (instance.attributes.has('src') || items.length === 0) return []
    return [{ name: instance.attributes.get('id') ?? '', choices: items.map((item) => this.#choice(item)) }]
  }

  #choice(item: XmlElement): ModelChoice {
    const choice: ModelChoice = { name: '', labels: [], media: [], data: [] }
    for (const child of childElements(item)) {
      if (child.name === 'name') choice.name = textOf(child)
      else if (child.name === 'label') choice.labels = this.#texts.element(child, '').labels
      else if (child.name === 'itextId') {
        const { labels, media } = this.#texts.byId(textOf(child), '')
        choice.labels = labels
        choice.media = media
      } else choice.data.push([child.name, textOf(child)])
    }
    return choice
  }
}

/** What OpenRosa names has the same name with its prefix and without. */
const ownName = ({ name }: XmlElement): string => name.replace(/^orx:/, '')

const trimmed = (value: string | undefined): string | null => value?.trim() ?? null

const dataType = (bind: ReadonlyMap<string, string>): string | null => bind.get('type')?.replace(/^xsd?:/, '') ?? null

/** All paths of the instance. Deep below long names they outgrow the document by far, hence the bound. */
const collectPaths = (root: XmlElement): Set<string> => {
  const known = new Set<string>()
  let characters = 0
  const collect = (element: XmlElement, parent: string): void => {
    const path = `${parent}/${element.name}`
    characters += path.length
    if (characters > limits.pathCharacters)
      fail('file-too-large', 'The names of the XForm are too long for how deep they are nested. Shorten them.')
    known.add(path)
    for (const child of childElements(element)) collect(child, path)
  }
  collect(root, '')
  return known
}
