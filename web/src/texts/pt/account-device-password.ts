import { translation } from '../catalogue'
import type en from '../en/account-device-password'

export default translation<typeof en>({
  title: 'Palavra-passe para telefones sem https',
  about:
    'Por http um telefone não envia nenhuma palavra-passe que possa ser lida no caminho; identifica-se por Digest, com esta palavra-passe em vez da sua. Envia registos e obtém formulários, e não abre mais nada. Mudar a sua própria palavra-passe termina-a.',
  once: 'Copie-a agora: ninguém a pode mostrar de novo, apenas substituir.',
  name: 'Nome de utilizador',
  devicePassword: 'Palavra-passe para telefones',
  hide: 'Ocultar',
  since: 'Existe uma desde {date}.',
  password: 'A sua palavra-passe',
  make: 'Criar uma',
  replace: 'Substituí-la',
  end: 'Terminá-la',
  endTitle: 'Terminar a palavra-passe para telefones?',
  endAbout: 'Os telefones que a usam deixam de poder obter formulários ou enviar registos até receberem uma nova.',
  ended: 'A palavra-passe para telefones terminou',
})
