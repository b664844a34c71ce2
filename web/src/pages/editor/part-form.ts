// Compiles one part of a form in a worker of its own, for as long as somebody looks at it alone.
import { computed, defineComponent, watch } from 'vue'
import { useCheck } from '@/parts/sheets/use-check'
import type { WorkbookModel } from '@/parts/sheets/use-workbook'
import { sheetsOfPart } from './part-sheets'

export default defineComponent(
  (props: { model: WorkbookModel; row: number }, { emit }) => {
    const sheets = computed(() => sheetsOfPart(props.model.book.value, props.row))
    const check = useCheck(sheets)
    watch(check.lastForm, (form) => emit('compiled', form?.xform ?? null))
    return () => null
  },
  { props: ['model', 'row'], emits: { compiled: (_xml: string | null) => true } },
)
