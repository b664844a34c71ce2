// Widgets: what is kept on the dashboard of a form. How one looks is in its metadata: `kind` and `width`.
import { api, careful, got, type Schemas } from './client'
import { errorOf } from './errors'
import type { Figure } from './figures'

export const widgetKinds = ['chart', 'number', 'map', 'table'] as const
export type WidgetKind = (typeof widgetKinds)[number]
/** What a number shows. */
export const numberKinds = ['total', 'today', 'mean'] as const
export type NumberKind = (typeof numberKinds)[number]

interface Words {
  readonly label: string
  readonly type: string
  readonly labels: Readonly<Record<string, string>>
}

export interface WidgetFigure extends Words {
  readonly figure: Figure
  readonly group: Words | null
  readonly counted_at: string
}

export interface Widget {
  readonly id: number
  /** Missing for those who see some of the records only. */
  readonly key?: string
  readonly title: string | null
  readonly description: string | null
  readonly aggregation: string | null
  readonly order: number
  readonly view_type: string
  readonly column: string
  readonly group_by: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  readonly figure?: WidgetFigure
}

export type WidgetChange = Partial<
  Pick<Widget, 'title' | 'aggregation' | 'order' | 'view_type' | 'column' | 'group_by' | 'metadata'>
>

/** Widgets that others have made by the API have none: they are charts. */
export const kindOf = ({ metadata }: Widget): WidgetKind =>
  widgetKinds.find((kind) => kind === metadata.kind) ?? 'chart'
export const widthOf = ({ metadata }: Widget): 1 | 2 | 3 =>
  metadata.width === 2 || metadata.width === 3 ? metadata.width : 1
export const numberOf = ({ aggregation }: Widget): NumberKind =>
  numberKinds.find((kind) => kind === aggregation) ?? 'total'

export const widgetsKey = (formId: number) => ['form', formId, 'widgets'] as const

const read = async (query: string): Promise<Widget[]> => {
  const answer = await careful(`/api/v1/widgets?${query}&figures=true`)
  const body: unknown = await answer.json().catch(() => undefined)
  if (!answer.ok) throw errorOf(answer.status, body, answer.headers)
  return body as Widget[]
}

export const listWidgets = (formId: number): Promise<Widget[]> => read(`xform=${formId}`)

/** The one that a key opens, for anybody; undefined for a key that opens nothing any more. */
export const findWidget = async (key: string): Promise<Widget | undefined> =>
  (
    await read(`key=${encodeURIComponent(key)}`).catch((error: { kind?: string }) => {
      if (error.kind === 'missing') return []
      throw error
    })
  )[0]

export const createWidget = (formId: number, fields: WidgetChange & { column: string }): Promise<Widget> =>
  got(
    api.POST('/api/v1/widgets', {
      body: {
        ...fields,
        content_object: `${location.origin}/api/v1/forms/${formId}`,
        view_type: fields.view_type ?? 'horizontal-bar',
      } as never,
    }),
  ) as Promise<Widget>

export const changeWidget = (id: number, change: WidgetChange): Promise<unknown> =>
  got(api.PATCH('/api/v1/widgets/{pk}', { params: { path: { pk: id } }, body: change as Schemas['PatchWidget'] }))

/** The links that have it now open nothing any more. */
export const renewKey = (id: number): Promise<unknown> =>
  got(api.POST('/api/v1/widgets/{pk}/key', { params: { path: { pk: id } } }))

export const withdrawKey = (id: number): Promise<unknown> =>
  got(api.DELETE('/api/v1/widgets/{pk}/key', { params: { path: { pk: id } } }))

export const deleteWidget = (id: number): Promise<unknown> =>
  got(api.DELETE('/api/v1/widgets/{pk}', { params: { path: { pk: id } } }))
