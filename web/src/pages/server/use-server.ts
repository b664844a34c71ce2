// The figures of the server, asked for again every few seconds while somebody looks. What is shown stays until there is more.
import { useQuery } from '@pinia/colada'
import { onBeforeUnmount, onMounted } from 'vue'
import { getServer, serverKey } from '@/api/server'

const everyMilliseconds = 15_000
/** Just after a start the server has not measured everything yet. */
const soonMilliseconds = 3000

export const useServer = () => {
  const query = useQuery({ key: serverKey, query: getServer })
  let timer: ReturnType<typeof setTimeout> | undefined
  let isLeft = false

  const isWhole = () => query.data.value?.measured_at != null && query.data.value.database.bytes !== null
  const later = () => {
    timer = setTimeout(look, isWhole() ? everyMilliseconds : soonMilliseconds)
  }
  const look = async () => {
    if (document.visibilityState === 'visible') await query.refetch()
    if (!isLeft) later()
  }
  onMounted(later)
  onBeforeUnmount(() => {
    isLeft = true
    clearTimeout(timer)
  })
  return query
}
