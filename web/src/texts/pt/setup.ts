import { translation } from '../catalogue'
import type en from '../en/setup'

export default translation<typeof en>({
  title: 'Bem-vindo ao Sheaf',
  about: 'Este servidor é novo. Crie a primeira conta: é sua, e cuida do servidor.',
  code: 'Código',
  codeHint: 'O servidor mostrou-o ao arrancar, onde lê o que ele mostra.',
  make: 'Criar a primeira conta',
  done: 'A primeira conta já está criada.',
  signIn: 'Iniciar sessão',
})
