/* The QR code of a link to a seat, for guests on the local network. */

import { post } from "./api.js";
import { h } from "./dom.js";
import { drawing } from "./viewer.js";

const codes = new Map(); // the figures that were requested, by their links

export function qrCode(link) {
  if (!codes.has(link)) {
    const figure = h("figure", { class: "qr", role: "img", "aria-label": "QR code of the link" });
    codes.set(link, figure);
    post("/api/qr", { link }).then(({ svg }) => figure.replaceChildren(drawing(svg)), (error) => { figure.textContent = error.message; });
  }
  return codes.get(link);
}
