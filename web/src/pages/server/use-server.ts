// The figures of the server, asked for again every few seconds while somebody looks. What is shown stays until there is more.
import { useQuery } from '@pinia/colada'
import { onBeforeUnmount, onMounted } from 'vue'
import { getServer, serverKey } from '@/api/server'

const everyMilliseconds = 15_000

export const useServer = () => {
  const query = useQuery({ key: serverKey, query: getServer })
  let timer: ReturnType<typeof setInterval> | undefined
  onMounted(() => {
    timer = setInterval(() => {
      if (document.visibilityState === 'visible') void query.refetch()
    }, everyMilliseconds)
  })
  onBeforeUnmount(() => clearInterval(timer))
  return query
}
