import { english } from '../catalogue'

export default english('fill', {
  sheaf: 'Sheaf',
  home: 'Start page of Sheaf',
  offline: 'No connection',
  nowhere: 'There is nothing at this address. Check that the link is whole.',
  broken: 'Something went wrong on this page. Load it again; what was kept on this device stays.',
})
