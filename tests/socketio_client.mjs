// The JavaScript client of Socket.IO, driven by lines of JSON on standard input; what it hears goes to standard output.
// Started in web/, where the client is installed: node ../tests/socketio_client.mjs '{"url": …, "options": {…}}'

import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const { io } = createRequire(process.cwd() + "/")("socket.io-client");
const { url, options } = JSON.parse(process.argv[2]);
const say = (...what) => console.log(JSON.stringify(what));

const socket = io(url, options);
socket.io.on("open", () => socket.io.engine.on("upgrade", (transport) => say("upgrade", transport.name)));
socket.on("connect", () => say("connect", socket.id, socket.io.engine.transport.name));
socket.on("disconnect", (reason) => say("disconnect", reason));
socket.on("connect_error", (error) => say("connect_error", error.message));
socket.onAny((name, ...payload) => say("event", name, ...payload));

const commands = {
  emit: (name, ...payload) => socket.emit(name, ...payload),
  call: (name, ...payload) => socket.emit(name, ...payload, (answer) => say("ack", answer)),
  binary: (name) => socket.emit(name, Buffer.from("bytes")),
  tear: () => socket.io.engine.close(), // as if the network had gone: the client comes back by itself
  disconnect: () => socket.disconnect(),
  connect: () => socket.connect(),
};
createInterface({ input: process.stdin })
  .on("line", (line) => {
    const [command, ...rest] = JSON.parse(line);
    commands[command](...rest);
  })
  .on("close", () => process.exit(0));
