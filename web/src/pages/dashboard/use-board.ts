// The widgets of a form: their order, width and removal. Everything shows at once and is taken back when the server refuses it.
import { useQuery, useQueryCache } from '@pinia/colada'
import { computed, onBeforeUnmount, ref } from 'vue'
import { change, useAction } from '@/api'
import { changeWidget, createWidget, deleteWidget, listWidgets, type Widget, widgetsKey, widthOf } from '@/api/widgets'
import { now } from '@/base/now'
import { useTexts } from '@/texts'
import en from '@/texts/en/dashboard'
import { movedTo, resized } from './arrange'

/** Asked again as often as the server counts anew, while somebody looks. */
const refreshMilliseconds = 60_000

export const useRefresh = (refetch: () => unknown): void => {
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') refetch()
  }, refreshMilliseconds)
  onBeforeUnmount(() => clearInterval(timer))
}

export const titleOf = (widget: Widget): string => widget.title?.trim() || widget.figure?.label || widget.column

/** When they were counted. The clock of the server may be ahead of this one: nothing was counted in the future. */
export const countedAtOf = (widgets: readonly Widget[]): string | undefined => {
  const at = widgets.find(({ figure }) => figure !== undefined)?.figure?.counted_at
  return at === undefined ? undefined : new Date(Math.min(Date.parse(at), now.value)).toISOString()
}

export const useBoard = (formId: () => number) => {
  const t = useTexts(en)
  const cache = useQueryCache()
  const { data, error, isPending, refetch } = useQuery({
    key: () => widgetsKey(formId()),
    query: () => listWidgets(formId()),
  })
  useRefresh(refetch)
  /** Said to screen readers. */
  const told = ref('')
  /** While one is dragged: the order that is shown, and not saved yet. */
  const dragged = ref<readonly Widget[]>()
  const widgets = computed(() => dragged.value ?? data.value ?? [])
  const set = (next: readonly Widget[]) => change<Widget[]>(cache, widgetsKey(formId()), () => [...next])

  const move = useAction<{ widget: Widget; to: number }>({
    asks: ({ widget, to }) => [widget.id, to],
    before: ({ widget, to }) => {
      const from = (data.value ?? []).findIndex(({ id }) => id === widget.id)
      return set(movedTo(data.value ?? [], from, to))
    },
    run: ({ widget, to }) => changeWidget(widget.id, { order: to }),
    after: (_, { widget, to }) => {
      told.value = t('moved', { title: titleOf(widget), place: to + 1, all: data.value?.length ?? 0 })
    },
  })
  const resize = useAction<{ widget: Widget; by: 1 | -1 }>({
    asks: ({ widget, by }) => [widget.id, widthOf(resized(widget, by))],
    before: ({ widget, by }) => set((data.value ?? []).map((one) => (one.id === widget.id ? resized(one, by) : one))),
    run: ({ widget, by }) => changeWidget(widget.id, { metadata: resized(widget, by).metadata }),
    after: (_, { widget, by }) => {
      told.value = t('resized', { title: titleOf(widget), width: widthOf(resized(widget, by)) })
    },
  })
  const remove = useAction<Widget>({
    asks: ({ id }) => [id],
    before: (widget) => set((data.value ?? []).filter(({ id }) => id !== widget.id)),
    run: (widget) => deleteWidget(widget.id),
    done: (_, widget) => t('removed', { title: titleOf(widget).slice(0, 80) }),
    // It comes back under another key: what opened it by the former one is told to open it anew.
    undo: async (_, widget) => {
      const { title, column, group_by, aggregation, view_type, metadata, order } = widget
      await createWidget(formId(), { title, column, group_by, aggregation, view_type, metadata, order })
      return t('backAgain', { title: titleOf(widget).slice(0, 80) })
    },
    refreshes: () => [widgetsKey(formId())],
  })

  const countedAt = computed(() => countedAtOf(widgets.value))
  return { data, widgets, dragged, error, isPending, refetch, move, resize, remove, told, countedAt }
}
