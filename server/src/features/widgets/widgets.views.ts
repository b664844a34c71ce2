import type { Static } from '../../platform/schema/index.js'
import type { Place, Widget } from './widgets.queries.js'
import type { WidgetView } from './widgets.schemas.js'

type View = Static<typeof WidgetView>

const addressOf = ({ formId, dataviewId }: Place): string =>
  dataviewId === null ? `forms/${formId}` : `dataviews/${dataviewId}`

interface Shown {
  /** The key counts all records, so it is for those who see all of them anyway. */
  readonly seesAll: boolean
  readonly data?: View['data'] | undefined
  readonly figure?: unknown
}

export const widgetView = (origin: string, widget: Widget, { seesAll, data = [], figure }: Shown): View => ({
  id: widget.id,
  ...(seesAll && !widget.hasKeyStopped && { key: widget.key }),
  url: `${origin}/api/v1/widgets/${widget.id}`,
  title: widget.title,
  description: widget.description,
  content_object: `${origin}/api/v1/${addressOf(widget)}`,
  aggregation: widget.aggregation,
  order: widget.position,
  widget_type: widget.widgetType,
  view_type: widget.viewType,
  column: widget.column,
  group_by: widget.groupBy,
  metadata: widget.metadata,
  data,
  ...(figure !== undefined && { figure }),
  date_created: widget.createdAt.toISOString(),
  date_modified: widget.modifiedAt.toISOString(),
})
